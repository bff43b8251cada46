package dev.vigil.cdc.postgres;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.LookupTable;
import dev.vigil.cdc.PublicationIdentity;
import dev.vigil.cdc.ReferenceTable;
import dev.vigil.cdc.SourceUnreachableException;
import dev.vigil.cdc.TableMapping;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must hold before capture starts, checked in the order in which an operator would put it right. Each refusal is
 * one line that says what was expected and what was found. Leaves the publication as it has to be and the slot free.
 */
public final class SourceChecks {

    private static final Logger log = LoggerFactory.getLogger(SourceChecks.class);
    private static final int OLDEST_VERSION = 140_000;

    private final CdcConfig config;
    private final SourceDatabase database;

    public SourceChecks(CdcConfig config, SourceDatabase database) {
        this.config = config;
        this.database = database;
    }

    /**
     * @param position how far an earlier run came
     * @param declared fields of the policy that the columns have to fit; null if no policy is known
     * @return what the database says of itself, as it is now, and whether to read the tables anew
     * @throws SourceUnreachableException if the database does not answer
     * @throws dev.vigil.service.ServiceException if something does not hold
     */
    public SourceFacts verify(StoredPosition position, @Nullable DeclaredFields declared) {
        try (Connection connection = database.connect()) {
            checkServer(connection);
            checkUser(connection);
            TypeCatalog types = TypeCatalog.read(connection);
            ServerHistory server = ServerHistory.read(connection);
            SourceFacts facts = SourceFacts.of(readTables(connection, types), types.numericDomains(), server.text());
            if (declared != null) {
                misfits(facts, declared).stream().findFirst().ifPresent(misfit -> {
                    throw database.refuse(misfit);
                });
            }
            Publication publication = new Publication(config, database);
            Optional<PublicationIdentity> before = publication.identity(connection);
            Optional<String> hole = position.lsn().isPresent()
                    ? publication.gap(connection, position.tables(), position.publication())
                    : Optional.empty();
            // The slot first: a publication that is put right tells nothing any more of what it kept from the slot.
            boolean anew = new SlotCheck(config, database, server).verify(connection, position, hole);
            publication.ensure(connection, facts.tables());
            PublicationIdentity now = publication.identity(connection).orElse(null);
            // What somebody else changes meanwhile is found by the next look, which compares with what was there
            // before.
            return facts.with(
                    anew || now == null
                            ? now
                            : before.map(b -> b.withNewTables(now)).orElse(now),
                    anew);
        } catch (SQLException e) {
            throw database.failure("cannot be checked", e);
        }
    }

    /**
     * What the publication keeps from the stream at present, or has kept from it, in one line; empty if nothing.
     *
     * @param facts as they were when the run began
     */
    public Optional<String> hole(Connection connection, SourceFacts facts) throws SQLException {
        return new Publication(config, database).hole(connection, facts.publication());
    }

    private void checkServer(Connection connection) throws SQLException {
        int version = Integer.parseInt(show(connection, "server_version_num"));
        if (version < OLDEST_VERSION) {
            throw database.refuse("expected version 14 or newer, found " + show(connection, "server_version"));
        }
        String walLevel = show(connection, "wal_level");
        if (!walLevel.equals("logical")) {
            throw database.refuse("expected wal_level = logical, found " + walLevel
                    + "; set wal_level = logical in postgresql.conf and restart the server");
        }
        if (show(connection, "max_slot_wal_keep_size").equals("-1")) {
            log.warn("max_slot_wal_keep_size is -1: while nobody reads the slot, the server keeps WAL until its disk is"
                    + " full; advised: a bound that the disk can take");
        }
    }

    private void checkUser(Connection connection) throws SQLException {
        // Where a managed server hands the right out through a role of its own, only the server itself knows.
        String sql =
                "SELECT rolsuper OR rolreplication OR EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'rds_replication')"
                        + " FROM pg_roles WHERE rolname = current_user";
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            if (result.next() && !result.getBoolean(1)) {
                String user = config.database().user();
                throw database.refuse("expected user " + user + " to be allowed to replicate, found that it is not;"
                        + " ALTER ROLE " + user + " REPLICATION");
            }
        }
    }

    /** One line for each mapped column that cannot become the field that the policy declares. */
    public List<String> misfits(SourceFacts facts, DeclaredFields declared) {
        List<String> misfits = new ArrayList<>();
        for (TableMapping mapping : config.tables()) {
            TableFacts table = facts.tables().get(mapping.table());
            if (table != null) {
                misfits.addAll(table.misfits(mapping, declared));
            }
        }
        return misfits;
    }

    private Map<String, TableFacts> readTables(Connection connection, TypeCatalog types) throws SQLException {
        Map<String, TableFacts> facts = new LinkedHashMap<>();
        for (TableMapping mapping : config.tables()) {
            TableFacts table = TableFacts.read(connection, database, types, mapping);
            warnAboutIdentity(mapping, table);
            facts.put(mapping.table(), table);
        }
        return facts;
    }

    /** A deleted row is known by its replica identity alone. */
    private static void warnAboutIdentity(TableMapping mapping, TableFacts table) {
        boolean deletesCount = mapping instanceof ReferenceTable || mapping instanceof LookupTable;
        if (deletesCount && !table.fullIdentity() && !table.primaryKey().containsAll(mapping.id())) {
            log.warn(
                    "{}: replica identity is not FULL, and 'id' names columns beside the primary key: deletes do not"
                            + " say which row they mean; advised: ALTER TABLE {} REPLICA IDENTITY FULL",
                    mapping.table(),
                    mapping.table());
        }
    }

    private static String show(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SHOW " + setting)) {
            result.next();
            return result.getString(1);
        }
    }

    /** WAL that the server keeps for the slot, in bytes; empty if there is no such slot, or it has none any more. */
    public static OptionalLong slotLagBytes(Connection connection, String slot) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) FROM pg_replication_slots"
                        + " WHERE slot_name = ? AND restart_lsn IS NOT NULL")) {
            query.setString(1, slot);
            try (ResultSet result = query.executeQuery()) {
                return result.next() ? OptionalLong.of(result.getLong(1)) : OptionalLong.empty();
            }
        }
    }
}
