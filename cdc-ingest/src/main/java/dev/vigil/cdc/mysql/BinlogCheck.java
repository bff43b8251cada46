package dev.vigil.cdc.mysql;

import dev.vigil.cdc.Gap;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the server's binary log goes on where the stored position stops. One that does not would skip changes without a word,
 * or give others in their place.
 */
final class BinlogCheck {

    private BinlogCheck() {}

    /** Why the stream cannot go on from the position; empty if it can. */
    static Optional<Gap> gap(Connection connection, StoredBinlogPosition stored, String server) throws SQLException {
        BinlogPosition position = stored.position().orElseThrow();
        Optional<String> found = otherServer(stored, server);
        if (found.isEmpty() && !stored.gtids().isEmpty()) {
            found = transactions(connection, stored.gtids());
        }
        if (found.isEmpty()) {
            found = files(binaryLogs(connection), position);
        }
        if (found.isEmpty()) {
            found = events(connection, position);
        }
        return found.map(text -> new Gap("the binary log to go on from " + position, text));
    }

    private static Optional<String> otherServer(StoredBinlogPosition stored, String server) {
        String before = stored.server();
        return before == null || before.equals(server)
                ? Optional.empty()
                : Optional.of("found another server, UUID " + server + " instead of " + before
                        + ", to whose binary log the position says nothing");
    }

    private static Optional<String> transactions(Connection connection, String gtids) throws SQLException {
        List<String> answer = MySqlDatabase.firstRow(
                connection,
                "SELECT gtid_subset(?, @@global.gtid_executed), gtid_subset(@@global.gtid_purged, ?),"
                        + " @@global.gtid_executed, @@global.gtid_purged",
                gtids,
                gtids);
        if (answer.get(0).equals("0")) {
            return Optional.of("found a server that does not know all the transactions that were read (" + shown(gtids)
                    + "), only " + shown(answer.get(2)) + ", as one that was set back would");
        }
        return answer.get(1).equals("0")
                ? Optional.of("found that the server has removed transactions that were not read ("
                        + shown(answer.get(3)) + ")")
                : Optional.empty();
    }

    private static String shown(String gtids) {
        String line = gtids.replaceAll("\\s+", "");
        return line.isEmpty() ? "none" : line;
    }

    /** @param sizeByFile the files that the server has, in their order, with their sizes in bytes */
    static Optional<String> files(Map<String, Long> sizeByFile, BinlogPosition position) {
        if (sizeByFile.isEmpty()) {
            return Optional.of("found no binary log on the server");
        }
        Long size = sizeByFile.get(position.file());
        if (size == null) {
            List<String> files = List.copyOf(sizeByFile.keySet());
            return Optional.of("found the binary logs " + files.get(0) + " to " + files.get(files.size() - 1));
        }
        return size < position.offset()
                ? Optional.of("found that " + position.file() + " ends at " + size
                        + ", as that of a server that was set back would")
                : Optional.empty();
    }

    /** A log that was reset has a file of the same name, in which something else stands at the position. */
    private static Optional<String> events(Connection connection, BinlogPosition position) throws SQLException {
        String sql = "SHOW BINLOG EVENTS IN '" + position.file().replace("'", "''") + "' FROM "
                + Math.max(position.offset(), 4) + " LIMIT 1";
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery(sql).close();
            return Optional.empty();
        } catch (SQLException e) {
            return e.getErrorCode() == 1220
                    ? Optional.of("found no event at that place of it, as in a binary log that was reset")
                    : Optional.of("cannot read it there: " + e.getMessage());
        }
    }

    /** The files in their order, with their sizes in bytes. */
    static Map<String, Long> binaryLogs(Connection connection) throws SQLException {
        Map<String, Long> sizeByFile = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet logs = statement.executeQuery("SHOW BINARY LOGS")) {
            while (logs.next()) {
                sizeByFile.put(logs.getString(1), logs.getLong(2));
            }
        }
        return sizeByFile;
    }

    /** Bytes after the position. */
    static long bytesAfter(Map<String, Long> sizeByFile, BinlogPosition position) {
        long bytes = 0;
        for (Map.Entry<String, Long> log : sizeByFile.entrySet()) {
            int number = new BinlogPosition(log.getKey(), 0).fileNumber();
            if (number == position.fileNumber()) {
                bytes += Math.max(0, log.getValue() - position.offset());
            } else if (number > position.fileNumber()) {
                bytes += log.getValue();
            }
        }
        return bytes;
    }
}
