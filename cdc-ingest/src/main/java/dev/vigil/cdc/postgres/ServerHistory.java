package dev.vigil.cdc.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.cdc.Lsns;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which server this is, and on which timeline of its log. A position means something on the server that it was read from, and
 * on those that share its log up to there: a standby that was promoted begins a timeline of its own.
 *
 * @param system the system identifier, which a cluster keeps from its creation on and its standbys share
 * @param endLsn where the log ends now
 */
record ServerHistory(String system, int timeline, long endLsn) {

    private static final Pattern STORED = Pattern.compile("(\\d+)/(\\d+)");
    /** Timeline, where it was left, and a reason. */
    private static final Pattern LEFT = Pattern.compile("(?m)^\\s*(\\d+)\\s+([0-9A-F]+/[0-9A-F]+)\\b.*$");

    private static final String QUERY = "SELECT (SELECT system_identifier::text FROM pg_control_system()),"
            + " ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int, pg_current_wal_lsn()::text";

    static ServerHistory read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(QUERY)) {
            result.next();
            return new ServerHistory(result.getString(1), result.getInt(2), Lsns.parse(result.getString(3)));
        }
    }

    /** As it is stored beside a position. */
    String text() {
        return system + "/" + timeline;
    }

    /**
     * Why the log of this server does not go on from the position; empty if it does.
     *
     * @param lsn the position
     */
    Optional<String> gap(StoredPosition position, long lsn, SourceDatabase database) throws SQLException {
        Matcher stored = STORED.matcher(String.valueOf(position.server()));
        if (stored.matches()) {
            if (!stored.group(1).equals(system)) {
                return Optional.of("found another server, system identifier " + system + " instead of "
                        + stored.group(1) + ", to whose log the position says nothing");
            }
            int before = Integer.parseInt(stored.group(2));
            Optional<String> parted = before == timeline ? Optional.empty() : parted(before, lsn, database);
            if (parted.isPresent()) {
                return parted;
            }
        }
        return Long.compareUnsigned(endLsn, lsn) < 0
                ? Optional.of("found a server whose log ends at " + Lsns.format(endLsn)
                        + ", as one that was set back to an earlier state would")
                : Optional.empty();
    }

    private Optional<String> parted(int before, long lsn, SourceDatabase database) throws SQLException {
        OptionalLong left = before > timeline ? OptionalLong.empty() : leftAt(before, database);
        if (left.isEmpty()) {
            return Optional.of("found timeline " + timeline + ", which did not come from timeline " + before);
        }
        return Long.compareUnsigned(lsn, left.getAsLong()) <= 0
                ? Optional.empty()
                : Optional.of("found timeline " + timeline + ", which left timeline " + before + " at "
                        + Lsns.format(left.getAsLong()) + ", before what was read of it");
    }

    private OptionalLong leftAt(int before, SourceDatabase database) throws SQLException {
        try (Connection connection = database.connectForReplication();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("TIMELINE_HISTORY " + timeline)) {
            if (result.next()) {
                Matcher line = LEFT.matcher(new String(result.getBytes(2), UTF_8));
                while (line.find()) {
                    if (Integer.parseInt(line.group(1)) == before) {
                        return OptionalLong.of(Lsns.parse(line.group(2)));
                    }
                }
            }
            return OptionalLong.empty();
        }
    }
}
