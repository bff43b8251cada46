package dev.vigil.cdc.debezium;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A MySQL server from its own binaries, where the build was told to fetch them. Its zone is neither UTC nor the JVM's. */
final class MySqlServer implements AutoCloseable {

    private static @Nullable MySqlServer shared;

    private final Path home;
    private final Path directory;
    private final int port;
    private final List<String> options;
    private @Nullable Process process;

    private MySqlServer(Path home, Path directory, int port, List<String> options) {
        this.home = home;
        this.directory = directory;
        this.port = port;
        this.options = options;
    }

    /** One for all tests that need nothing special; skips the test, with the reason, where there is none. */
    static synchronized MySqlServer shared() {
        if (shared == null) {
            try {
                Path directory = Files.createTempDirectory("vigil-mysql-test");
                MySqlServer server = start(directory, List.of());
                Runtime.getRuntime()
                        .addShutdownHook(new Thread(() -> server.closeAndDelete(directory), "test-mysql-stop"));
                shared = server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return shared;
    }

    /** @param options beside or instead of those that capture needs */
    static MySqlServer start(Path directory, List<String> options) {
        String home = System.getProperty("vigil.mysql.home", "");
        Assumptions.assumeFalse(home.isEmpty(), "needs a MySQL server: ./mvnw -Pmysql verify fetches one");
        MySqlServer server = new MySqlServer(Path.of(home), directory, freePort(), options);
        server.initialize();
        server.start();
        return server;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void initialize() {
        try {
            Files.createDirectories(directory);
            Path mysqld = home.resolve("bin/mysqld");
            if (!mysqld.toFile().setExecutable(true)) {
                throw new AssertionError("not to be made executable: " + mysqld);
            }
            int code = run("--initialize-insecure").waitFor();
            String said = Files.readString(directory.resolve("mysql.log"));
            Assumptions.assumeFalse(
                    said.contains("error while loading shared libraries"),
                    () -> "needs what the MySQL server is linked with (on Debian: apt-get install libaio1): " + said);
            if (code != 0) {
                throw new AssertionError(said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Process run(String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                home.resolve("bin/mysqld").toString(),
                "--no-defaults",
                "--basedir=" + home,
                "--datadir=" + directory.resolve("data"),
                "--innodb-buffer-pool-size=64M",
                "--innodb-redo-log-capacity=32M",
                "--innodb-use-native-aio=OFF",
                "--performance-schema=OFF"));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("mysql.log").toFile()))
                .start();
    }

    void start() {
        List<String> settings = new ArrayList<>(List.of(
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=mysql.sock",
                "--mysqlx=OFF",
                "--server-id=1",
                "--log-bin=binlog",
                "--gtid-mode=ON",
                "--enforce-gtid-consistency=ON",
                "--character-set-server=utf8mb4",
                "--default-time-zone=+05:30",
                "--sql-mode="));
        settings.addAll(options);
        try {
            Process started = run(settings.toArray(new String[0]));
            process = started;
            Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> {
                if (!started.isAlive()) {
                    throw new AssertionError(Files.readString(directory.resolve("mysql.log")));
                }
                return answers();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean answers() {
        try {
            connect().close();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    int port() {
        return port;
    }

    /** As root, without a database. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/?jdbcCompliantTruncation=false", "root", "");
    }

    /** As after a power cut, apart from the disk. */
    void kill() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    Path data() {
        return directory.resolve("data");
    }

    @Override
    public void close() {
        Process running = process;
        if (running == null) {
            return;
        }
        running.destroy();
        try {
            if (!running.waitFor(60, TimeUnit.SECONDS)) {
                running.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeAndDelete(Path directory) {
        close();
        try (Stream<Path> paths = Files.walk(directory)) {
            paths.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
