package dev.vigil.cdc.mysql;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.Gap;
import dev.vigil.cdc.SourceUnreachableException;
import dev.vigil.cdc.TableMapping;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must hold before capture starts, checked in the order in which an operator would put it right. Each refusal is one line
 * that says what was expected and what was found. Changes nothing on the server.
 */
public final class MySqlChecks {

    private static final Logger log = LoggerFactory.getLogger(MySqlChecks.class);
    private static final int OLDEST_VERSION = 8;
    private static final int ACCESS_DENIED_FOR_PRIVILEGE = 1227;
    private static final long DAY_SECONDS = 86_400;

    private final CdcConfig config;
    private final MySqlDatabase database;

    public MySqlChecks(CdcConfig config, MySqlDatabase database) {
        this.config = config;
        this.database = database;
    }

    /**
     * @param stored how far an earlier run came
     * @param declared fields of the policy that the columns have to fit; null if no policy is known
     * @return what the server says of itself, as it is now, and whether to read the tables anew
     * @throws SourceUnreachableException if the server does not answer
     * @throws dev.vigil.service.ServiceException if something does not hold
     */
    public MySqlFacts verify(StoredBinlogPosition stored, @Nullable DeclaredFields declared) {
        try (Connection connection = database.connect()) {
            checkServer(connection);
            checkUser(connection);
            MySqlFacts facts = new MySqlFacts(
                    readTables(connection),
                    variable(connection, "server_uuid"),
                    variable(connection, "gtid_mode").equals("ON"),
                    false);
            if (declared != null) {
                misfits(facts, declared).stream().findFirst().ifPresent(misfit -> {
                    throw database.refuse(misfit);
                });
            }
            boolean readAnew = readAnew(connection, stored, facts);
            if (readAnew) {
                checkLocks(connection);
            }
            return new MySqlFacts(facts.tables(), facts.server(), facts.numbersTransactions(), readAnew);
        } catch (SQLException e) {
            throw database.failure("cannot be checked", e);
        }
    }

    private void checkServer(Connection connection) throws SQLException {
        unsupported(MySqlDatabase.firstRow(connection, "SELECT version()").get(0))
                .ifPresent(problem -> {
                    throw database.refuse(problem);
                });
        require(connection, "log_bin", "ON", "1");
        require(connection, "binlog_format", "ROW");
        require(connection, "binlog_row_image", "FULL");
        require(connection, "binlog_row_value_options", "");
        long serverId = Long.parseLong(variable(connection, "server_id"));
        if (serverId == config.database().serverId()) {
            throw database.refuse("expected cdc.database.server-id to be one that no server of this replication has,"
                    + " found that this server is " + serverId + " itself");
        }
        long kept = Long.parseLong(variable(connection, "binlog_expire_logs_seconds"));
        if (kept > 0 && kept < DAY_SECONDS) {
            log.warn("binlog_expire_logs_seconds is {}: what is older is lost if cdc-ingest is away for longer", kept);
        }
    }

    /** Why a server of that version cannot be captured, if it cannot. */
    static Optional<String> unsupported(String version) {
        String expected = "expected MySQL 8.0 or newer, found " + version;
        if (version.toLowerCase(Locale.ROOT).contains("mariadb")) {
            return Optional.of(expected + ": MariaDB has a binary log of its own kind");
        }
        return Integer.parseInt(version.replaceFirst("\\D.*", "")) < OLDEST_VERSION
                ? Optional.of(expected)
                : Optional.empty();
    }

    private void require(Connection connection, String name, String... allowed) throws SQLException {
        String found = variable(connection, name);
        if (!List.of(allowed).contains(found)) {
            String expected = allowed[0].isEmpty() ? "to be empty" : "= " + allowed[0];
            throw database.refuse("expected " + name + " " + expected + ", found " + found + "; set it in my.cnf"
                    + " and restart the server, so that sessions that are open now do not go on without it");
        }
    }

    private static String variable(Connection connection, String name) throws SQLException {
        return MySqlDatabase.firstRow(connection, "SELECT @@global." + name).get(0);
    }

    /** Whoever may ask these may also read the log; where roles hand out rights, only the server itself knows. */
    private void checkUser(Connection connection) throws SQLException {
        attempt(connection, "SHOW BINARY LOGS", "REPLICATION CLIENT");
        attempt(connection, "SHOW REPLICAS", "REPLICATION SLAVE");
    }

    private void attempt(Connection connection, String command, String right) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        } catch (SQLException e) {
            if (e.getErrorCode() != ACCESS_DENIED_FOR_PRIVILEGE) {
                throw e;
            }
            String user = config.database().user();
            throw database.refuse("expected user " + user + " to have the right " + right
                    + ", found that it has not; GRANT " + right + " ON *.* TO '" + user + "'");
        }
    }

    /** While a snapshot finds out where it stands, nothing may be written; whoever may flush one table may see to that. */
    private void checkLocks(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION lock_wait_timeout = 5");
        }
        attempt(
                connection,
                "FLUSH NO_WRITE_TO_BINLOG TABLES "
                        + MySqlTable.quotedTable(config.tables().get(0).table()),
                "RELOAD");
    }

    private boolean readAnew(Connection connection, StoredBinlogPosition stored, MySqlFacts facts) throws SQLException {
        if (stored.position().isEmpty()) {
            return true;
        }
        Optional<Gap> gap = stored.hasSchemaHistory()
                ? BinlogCheck.gap(connection, stored, facts.server())
                : Optional.of(new Gap(
                        "the tables' structure as of " + stored.position().get() + " in " + stored.file(),
                        "found none, so that what was logged since then cannot be read"));
        if (gap.isEmpty()) {
            return false;
        }
        if (!config.acceptGap()) {
            throw database.gap(gap.get());
        }
        log.warn(
                "{}; accepted (cdc.accept-gap): reading the tables anew",
                gap.get().text());
        return true;
    }

    private Map<String, MySqlTable> readTables(Connection connection) throws SQLException {
        Map<String, MySqlTable> tables = new LinkedHashMap<>();
        for (TableMapping mapping : config.tables()) {
            tables.put(mapping.table(), MySqlTable.read(connection, database, mapping));
        }
        return tables;
    }

    /** One line for each mapped column that cannot become the field that the policy declares. */
    public List<String> misfits(MySqlFacts facts, DeclaredFields declared) {
        List<String> misfits = new ArrayList<>();
        for (TableMapping mapping : config.tables()) {
            MySqlTable table = facts.tables().get(mapping.table());
            if (table != null) {
                misfits.addAll(table.misfits(mapping, declared));
            }
        }
        return misfits;
    }

    /**
     * Bytes of the binary log after the position.
     *
     * @param gtids the transactions up to there; where they are all there are, the position may stand further back
     */
    public static long lagBytes(Connection connection, BinlogPosition position, String gtids) throws SQLException {
        if (!gtids.isEmpty()
                && MySqlDatabase.firstRow(connection, "SELECT gtid_subset(@@global.gtid_executed, ?)", gtids)
                        .equals(List.of("1"))) {
            return 0;
        }
        return BinlogCheck.bytesAfter(BinlogCheck.binaryLogs(connection), position);
    }
}
