package dev.vigil.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedDatabaseIT {

    @TempDir
    Path directory;

    @Test
    void shouldKeepRowsAndPortOverARestart() throws Exception {
        int port;
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
            port = database.port();
            execute(database, "CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)");
        }
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
            assertThat(database.port()).isEqualTo(port);
            assertThat(query(database, "SELECT count(*) FROM t")).isEqualTo("2");
        }
    }

    @Test
    void shouldBeDurableAndReadyForChangeDataCapture() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
            assertThat(database.jdbcUrl()).isEqualTo("jdbc:postgresql://127.0.0.1:" + database.port() + "/bank");
            assertThat(query(database, "SHOW wal_level")).isEqualTo("logical");
            assertThat(query(database, "SHOW fsync")).isEqualTo("on");
            assertThat(query(database, "SHOW synchronous_commit")).isEqualTo("on");
        }
    }

    @Test
    void shouldStartWithoutLogicalWalWhenAsked() throws Exception {
        DatabaseOptions options = DatabaseOptions.defaults().withWalLevel("replica");
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory, options)) {
            assertThat(query(database, "SHOW wal_level")).isEqualTo("replica");
        }
    }

    @Test
    void shouldRefuseAPortThatIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            DatabaseOptions options = DatabaseOptions.defaults().withPort(port);

            assertThatThrownBy(() -> EmbeddedDatabase.start(directory, options))
                    .isInstanceOf(EmbeddedStartException.class)
                    .hasMessage("PostgreSQL: expected port " + port
                            + " on 127.0.0.1 to be free, found it in use by another process");
        }
    }

    @Test
    void shouldRefuseADirectoryThatIsInUse() {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
            assertThatThrownBy(() -> EmbeddedDatabase.start(directory))
                    .isInstanceOf(EmbeddedStartException.class)
                    .hasMessage("PostgreSQL: expected a data directory of its own, found " + directory
                            + " in use by another process");
            assertThat(database.port()).isPositive();
        }
    }

    @Test
    void shouldStopAServerThatAKilledProcessLeftBehind() throws Exception {
        Process owner = startOwner();
        String ready = owner.inputReader(StandardCharsets.UTF_8).readLine();
        assertThat(ready).isEqualTo(DatabaseOwner.READY);
        long orphanPid = postmasterPid();
        owner.destroyForcibly().waitFor();
        assertThat(ProcessHandle.of(orphanPid)).isPresent();

        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory)) {
            assertThat(postmasterPid()).isNotEqualTo(orphanPid);
            assertThat(ProcessHandle.of(orphanPid)).isEmpty();
            assertThat(query(database, "SELECT count(*) FROM t")).isEqualTo("1");
        }
    }

    private Process startOwner() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DatabaseOwner.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private long postmasterPid() throws IOException {
        return Long.parseLong(
                Files.readAllLines(directory.resolve("pgdata/postmaster.pid")).get(0));
    }

    private static void execute(EmbeddedDatabase database, String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String query(EmbeddedDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }
}
