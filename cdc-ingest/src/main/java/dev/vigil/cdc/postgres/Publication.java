package dev.vigil.cdc.postgres;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.PublicationIdentity;
import dev.vigil.cdc.TableMapping;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The publication, held to give every row and every needed column of the mapped tables: what it hides is never seen. */
final class Publication {

    private static final Logger log = LoggerFactory.getLogger(Publication.class);
    private static final String OPTIONS =
            " WITH (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)";

    private final CdcConfig config;
    private final SourceDatabase database;

    Publication(CdcConfig config, SourceDatabase database) {
        this.config = config;
        this.database = database;
    }

    /**
     * What the publication has kept from a stream that an earlier run began: the server reads it as it was when a row was written,
     * so that putting it right brings nothing back.
     *
     * @param captured tables that were captured by that run
     * @param then the publication as that run had it; null if that is not known
     * @return beginning with "found"; empty if nothing is known to be missing
     */
    Optional<String> gap(Connection connection, Set<String> captured, @Nullable PublicationIdentity then)
            throws SQLException {
        Optional<PublicationIdentity> now = identity(connection);
        if (now.isEmpty()) {
            return Optional.of("found no publication " + config.publication());
        }
        Set<String> missing = mappedTables();
        missing.retainAll(captured);
        missing.removeAll(heldTables(connection));
        if (!missing.isEmpty()) {
            return Optional.of("found that publication " + config.publication() + " does not hold " + missing
                    + " any more, which it held before");
        }
        return change(then, now.get());
    }

    /**
     * What the publication keeps from the stream at present, or has kept from it, in one line; empty if nothing.
     *
     * @param then the publication as the stream began with it; null if that is not known
     */
    Optional<String> hole(Connection connection, @Nullable PublicationIdentity then) throws SQLException {
        String expected = "expected publication " + config.publication();
        Optional<PublicationIdentity> now = identity(connection);
        if (now.isEmpty()) {
            return Optional.of(expected + ", found none");
        }
        Set<String> missing = mappedTables();
        missing.removeAll(heldTables(connection));
        if (!missing.isEmpty()) {
            return Optional.of(expected + " to hold the mapped tables, found it without " + missing);
        }
        Optional<String> change = change(then, now.get());
        if (change.isPresent()) {
            return Optional.of(expected + " as the stream began with it, " + change.get());
        }
        if (!givesAllOperations(connection)) {
            return Optional.of(expected + " to give all operations, found that it leaves some out");
        }
        Optional<String> scattered = scatteredTable(connection);
        if (scattered.isPresent()) {
            return Optional.of(expected + " to give the rows of " + scattered.get()
                    + " under its own name, found that it gives them under those of its partitions");
        }
        return filteredTable(connection).map(table -> expected + " to give every row, found a row filter on " + table);
    }

    /** Whether anything can have been kept back between: beginning with "found"; empty if not, or if it is not known. */
    private Optional<String> change(@Nullable PublicationIdentity then, PublicationIdentity now) {
        if (then == null) {
            return Optional.empty();
        }
        if (then.oid() != now.oid()) {
            return Optional.of("found that publication " + config.publication() + " was dropped and made again");
        }
        Set<String> interrupted = then.interrupted(now);
        interrupted.retainAll(mappedTables());
        return interrupted.isEmpty()
                ? Optional.empty()
                : Optional.of("found that " + interrupted + " was taken out of publication " + config.publication()
                        + " and put back");
    }

    /** Which publication it is; empty if there is none. */
    Optional<PublicationIdentity> identity(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(memberships(connection))) {
            query.setArray(1, connection.createArrayOf("text", mappedTables().toArray()));
            query.setString(2, config.publication());
            try (ResultSet result = query.executeQuery()) {
                long oid = 0;
                Map<String, Set<String>> memberships = new TreeMap<>();
                while (result.next()) {
                    oid = result.getLong(1);
                    String table = result.getString(2);
                    if (table != null) {
                        memberships
                                .computeIfAbsent(table, name -> new TreeSet<>())
                                .add(result.getString(3));
                    }
                }
                return oid == 0 ? Optional.empty() : Optional.of(new PublicationIdentity(oid, memberships));
            }
        }
    }

    /** A row for each way in which the publication holds a mapped table, and one without a table if it holds none. */
    private static String memberships(Connection connection) throws SQLException {
        String schemas = connection.getMetaData().getDatabaseMajorVersion() < 15
                ? ""
                : " UNION ALL SELECT pnpubid, name, 'schema ' || n.oid FROM pg_publication_namespace n"
                        + " JOIN pg_class ON relnamespace = pnnspid JOIN held ON pg_class.oid = relid";
        // A partition is held by what holds a table that it is a partition of.
        return "WITH mapped AS (SELECT c.oid, nspname || '.' || relname AS name FROM pg_class c"
                + " JOIN pg_namespace s ON s.oid = relnamespace WHERE nspname || '.' || relname = ANY (?)),"
                + " held AS (SELECT name, oid AS relid FROM mapped"
                + " UNION SELECT name, relid FROM mapped, pg_partition_ancestors(oid)),"
                + " ways AS (SELECT prpubid AS publication, name, 'table ' || r.oid AS way FROM pg_publication_rel r"
                + " JOIN held ON relid = prrelid" + schemas
                + " UNION ALL SELECT p.oid, name, 'all tables' FROM pg_publication p, mapped WHERE puballtables)"
                + " SELECT p.oid, name, way FROM pg_publication p LEFT JOIN ways ON publication = p.oid"
                + " WHERE pubname = ?";
    }

    private Set<String> mappedTables() {
        return config.tables().stream().map(TableMapping::table).collect(Collectors.toCollection(TreeSet::new));
    }

    /** @param facts of the mapped tables */
    void ensure(Connection connection, Map<String, TableFacts> facts) throws SQLException {
        if (identity(connection).isEmpty()) {
            execute(
                    connection,
                    "CREATE PUBLICATION " + quoted(config.publication()) + " FOR TABLE " + tableList(mappedTables())
                            + OPTIONS);
            return;
        }
        refuseRowFilters(connection);
        publishAllOperations(connection);
        publishUnderOwnNames(connection);
        Set<String> missing = mappedTables();
        missing.removeAll(heldTables(connection));
        if (!missing.isEmpty()) {
            log.warn(
                    "publication {} did not hold {}: putting it into it; rows that a new table has already are not read,"
                            + " 'vigil cdc snapshot' reads them",
                    config.publication(),
                    missing);
            // Nothing else of it is touched: what holds a table is never taken away by ourselves.
            execute(
                    connection,
                    "ALTER PUBLICATION " + quoted(config.publication()) + " ADD TABLE " + tableList(missing));
        }
        refuseColumnLists(connection, facts);
    }

    private void publishAllOperations(Connection connection) throws SQLException {
        if (!givesAllOperations(connection)) {
            log.warn("publication {} left operations out: setting it to give all", config.publication());
            execute(
                    connection,
                    "ALTER PUBLICATION " + quoted(config.publication())
                            + " SET (publish = 'insert, update, delete, truncate')");
        }
    }

    private boolean givesAllOperations(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT pubinsert AND pubupdate AND pubdelete"
                + " AND pubtruncate FROM pg_publication WHERE pubname = ?")) {
            query.setString(1, config.publication());
            try (ResultSet result = query.executeQuery()) {
                return !result.next() || result.getBoolean(1);
            }
        }
    }

    /** A mapping is found by the name under which a row comes. */
    private void publishUnderOwnNames(Connection connection) throws SQLException {
        Optional<String> scattered = scatteredTable(connection);
        if (scattered.isPresent()) {
            log.warn(
                    "publication {} gave the rows of {} under the names of its partitions, under which nothing is mapped:"
                            + " setting it to give them under the table's own",
                    config.publication(),
                    scattered.get());
            execute(
                    connection,
                    "ALTER PUBLICATION " + quoted(config.publication()) + " SET (publish_via_partition_root = true)");
        }
    }

    /** A mapped table with partitions, in whose place the publication gives these. */
    private Optional<String> scatteredTable(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT nspname || '.' || relname FROM pg_class"
                + " JOIN pg_namespace s ON s.oid = relnamespace, pg_publication WHERE pubname = ? AND NOT pubviaroot"
                + " AND relkind = 'p' AND nspname || '.' || relname = ANY (?) ORDER BY 1 LIMIT 1")) {
            query.setString(1, config.publication());
            query.setArray(2, connection.createArrayOf("text", mappedTables().toArray()));
            try (ResultSet result = query.executeQuery()) {
                return result.next() ? Optional.of(result.getString(1)) : Optional.empty();
            }
        }
    }

    private void refuseColumnLists(Connection connection, Map<String, TableFacts> facts) throws SQLException {
        if (connection.getMetaData().getDatabaseMajorVersion() < 15) {
            return;
        }
        for (TableMapping mapping : config.tables()) {
            Set<String> needed = new TreeSet<>(mapping.columns());
            TableFacts table = facts.get(mapping.table());
            if (table != null) {
                needed.addAll(table.primaryKey());
            }
            needed.removeAll(publishedColumns(connection, mapping.table()));
            if (!needed.isEmpty()) {
                throw database.refuse("expected publication " + config.publication() + " to give column "
                        + needed.iterator().next() + " of table " + mapping.table()
                        + ", found that its list of columns leaves it out");
            }
        }
    }

    private Set<String> publishedColumns(Connection connection, String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT unnest(attnames)::text FROM"
                + " pg_publication_tables WHERE pubname = ? AND schemaname || '.' || tablename = ?")) {
            query.setString(1, config.publication());
            query.setString(2, table);
            try (ResultSet result = query.executeQuery()) {
                Set<String> columns = new TreeSet<>();
                while (result.next()) {
                    columns.add(result.getString(1));
                }
                return columns;
            }
        }
    }

    private Set<String> publishedTables(Connection connection) throws SQLException {
        return tables(connection, "SELECT schemaname || '.' || tablename FROM pg_publication_tables WHERE pubname = ?");
    }

    /** Tables whose rows are given, and tables named to it whose partitions are given in their place. */
    private Set<String> heldTables(Connection connection) throws SQLException {
        Set<String> tables = publishedTables(connection);
        tables.addAll(tables(
                connection,
                "SELECT nspname || '.' || relname FROM pg_publication_rel"
                        + " JOIN pg_publication ON prpubid = pg_publication.oid"
                        + " JOIN pg_class ON prrelid = pg_class.oid"
                        + " JOIN pg_namespace ON relnamespace = pg_namespace.oid WHERE pubname = ?"));
        return tables;
    }

    private Set<String> tables(Connection connection, String sql) throws SQLException {
        Set<String> tables = new TreeSet<>();
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, config.publication());
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    tables.add(result.getString(1));
                }
            }
        }
        return tables;
    }

    private void refuseRowFilters(Connection connection) throws SQLException {
        Optional<String> filtered = filteredTable(connection);
        if (filtered.isPresent()) {
            throw database.refuse("expected publication " + config.publication()
                    + " to give every row, found a row filter on " + filtered.get());
        }
    }

    private Optional<String> filteredTable(Connection connection) throws SQLException {
        if (connection.getMetaData().getDatabaseMajorVersion() < 15) {
            return Optional.empty();
        }
        try (PreparedStatement query = connection.prepareStatement("SELECT schemaname || '.' || tablename"
                + " FROM pg_publication_tables WHERE pubname = ? AND rowfilter IS NOT NULL LIMIT 1")) {
            query.setString(1, config.publication());
            try (ResultSet result = query.executeQuery()) {
                return result.next() ? Optional.of(result.getString(1)) : Optional.empty();
            }
        }
    }

    private void execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw database.failure("cannot set up the publication; let the tables' owner run: " + sql, e);
        }
    }

    private static String tableList(Set<String> tables) {
        return tables.stream().map(Publication::quotedTable).collect(Collectors.joining(", "));
    }

    private static String quotedTable(String table) {
        int dot = table.indexOf('.');
        return quoted(table.substring(0, dot)) + "." + quoted(table.substring(dot + 1));
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
