package dev.vigil.cdc.postgres;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.Gap;
import dev.vigil.cdc.Lsns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the replication slot continues where the stored position stops. A slot that does not would skip changes
 * without a word, so every such case is refused with what to do about it.
 */
final class SlotCheck {

    private static final Logger log = LoggerFactory.getLogger(SlotCheck.class);
    /** A server notices a consumer that was killed when it next writes to it; that is soon, but not at once. */
    private static final int FREE_ATTEMPT_COUNT = 40;

    private static final int FREE_WAIT_MS = 250;

    private final CdcConfig config;
    private final SourceDatabase database;
    private final ServerHistory server;

    SlotCheck(CdcConfig config, SourceDatabase database, ServerHistory server) {
        this.config = config;
        this.database = database;
        this.server = server;
    }

    private record Slot(
            String plugin,
            String database,
            @Nullable Integer activePid,
            @Nullable String confirmedLsn,
            @Nullable String walStatus) {}

    /**
     * Whether the tables have to be read anew, since the stream cannot go on from the position and the gap is accepted.
     *
     * @param hole what was kept from the slot since the position, beginning with "found"; empty if nothing
     */
    boolean verify(Connection connection, StoredPosition position, Optional<String> hole) throws SQLException {
        Optional<Slot> found = read(connection);
        if (found.isEmpty()) {
            return position.lsn().isPresent() && acceptGap(position, "found no such slot on the server");
        }
        Slot slot = awaitFree(connection, found.get());
        checkKind(slot);
        if (position.lsn().isPresent()) {
            Optional<String> gap = gap(slot, position).or(() -> hole);
            if (gap.isPresent() && acceptGap(position, gap.get())) {
                drop(connection);
                return true;
            }
        } else if (position.slotIsOurs()) {
            log.warn(
                    "replication slot {} is left over from a snapshot that was not finished: starting it again",
                    config.slot());
            drop(connection);
        } else {
            throw database.refuse("expected no replication slot '" + config.slot()
                    + "', since no position is stored in " + position.file()
                    + "; found one that may be somebody else's: name another slot (cdc.slot), or drop it:"
                    + " SELECT pg_drop_replication_slot('" + config.slot() + "')");
        }
        return false;
    }

    private void checkKind(Slot slot) {
        if (!slot.plugin().equals("pgoutput")
                || !slot.database().equals(config.database().name())) {
            throw database.refuse("expected replication slot '" + config.slot() + "' to be a pgoutput slot of database "
                    + config.database().name() + ", found plugin " + slot.plugin() + " of database " + slot.database());
        }
    }

    private Optional<String> gap(Slot slot, StoredPosition position) throws SQLException {
        long lsn = position.lsn().orElseThrow();
        Optional<String> history = server.gap(position, lsn, database);
        if (history.isPresent()) {
            return history;
        }
        if ("lost".equals(slot.walStatus())) {
            return Optional.of("found that the server has removed WAL the slot needs (wal_status = lost, confirmed at "
                    + slot.confirmedLsn() + ")");
        }
        String confirmed = slot.confirmedLsn();
        return confirmed != null && Long.compareUnsigned(Lsns.parse(confirmed), lsn) > 0
                ? Optional.of("found a slot that starts at " + confirmed
                        + ", as one that was created anew would, or as where " + position.file()
                        + " is damaged or an older copy")
                : Optional.empty();
    }

    private boolean acceptGap(StoredPosition position, String found) {
        Gap gap = new Gap(
                "replication slot '" + config.slot() + "' to continue from "
                        + Lsns.format(position.lsn().orElseThrow()),
                found);
        if (!config.acceptGap()) {
            throw database.gap(gap);
        }
        log.warn("{}; accepted (cdc.accept-gap): reading the tables anew", gap.text());
        return true;
    }

    private Slot awaitFree(Connection connection, Slot first) throws SQLException {
        Slot slot = first;
        for (int attempt = 0; slot.activePid() != null; attempt++) {
            if (attempt == FREE_ATTEMPT_COUNT) {
                throw database.refuse("expected replication slot '" + config.slot()
                        + "' to be free, found it in use by server process " + slot.activePid()
                        + consumer(connection, slot)
                        + "; stop that consumer, or name another slot (cdc.slot)");
            }
            sleep();
            slot = read(connection).orElse(new Slot(slot.plugin(), slot.database(), null, null, null));
        }
        return slot;
    }

    private void sleep() {
        try {
            Thread.sleep(FREE_WAIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw database.refuse("interrupted while waiting for replication slot '" + config.slot() + "'");
        }
    }

    private static String consumer(Connection connection, Slot slot) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT application_name, coalesce(host(client_addr), 'local') FROM pg_stat_activity WHERE pid = ?")) {
            query.setInt(1, slot.activePid() == null ? 0 : slot.activePid());
            try (ResultSet result = query.executeQuery()) {
                return result.next() ? " (" + result.getString(1) + " at " + result.getString(2) + ")" : "";
            }
        }
    }

    private Optional<Slot> read(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT coalesce(plugin, ''), coalesce(database, ''), active_pid, confirmed_flush_lsn::text,"
                        + " wal_status FROM pg_replication_slots WHERE slot_name = ?")) {
            query.setString(1, config.slot());
            try (ResultSet result = query.executeQuery()) {
                if (!result.next()) {
                    return Optional.empty();
                }
                int activePid = result.getInt(3);
                Integer active = result.wasNull() ? null : activePid;
                return Optional.of(new Slot(
                        result.getString(1), result.getString(2), active, result.getString(4), result.getString(5)));
            }
        }
    }

    private void drop(Connection connection) throws SQLException {
        try (PreparedStatement drop = connection.prepareStatement("SELECT pg_drop_replication_slot(?)")) {
            drop.setString(1, config.slot());
            drop.execute();
        }
    }
}
