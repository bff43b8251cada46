package dev.vigil.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real PostgreSQL server from its own binaries, durable ({@code fsync} and {@code synchronous_commit} on), with its
 * data, its port and its log kept in the data directory. Works as root and as any other user.
 *
 * <p>A server that was left running because its JVM was killed is stopped first, with a line in the log. Safe for use
 * by several threads once started.
 */
public final class EmbeddedDatabase implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedDatabase.class);
    private static final String USER = "postgres";
    /** The server trusts every local connection; some clients insist on sending a password. */
    private static final String PASSWORD = "postgres";

    private static final Duration START_MAX = Duration.ofSeconds(60);

    private final DirectoryLock lock;
    private final EmbeddedPostgres server;
    private final String database;
    private boolean closed;

    private EmbeddedDatabase(DirectoryLock lock, EmbeddedPostgres server, String database) {
        this.lock = lock;
        this.server = server;
        this.database = database;
    }

    /** Starts with {@link DatabaseOptions#defaults()}. */
    public static EmbeddedDatabase start(Path dataDirectory) {
        return start(dataDirectory, DatabaseOptions.defaults());
    }

    /**
     * Starts the server and creates the database where it does not exist. Returns when clients can connect.
     *
     * @throws EmbeddedStartException with a one-line reason; nothing is left running
     */
    public static EmbeddedDatabase start(Path dataDirectory, DatabaseOptions options) {
        DirectoryLock lock = DirectoryLock.acquire(dataDirectory, "PostgreSQL");
        try {
            Path pgData = dataDirectory.resolve("pgdata");
            OrphanedPostmaster.stopIfRunning(pgData);
            KeptPorts ports = KeptPorts.load(dataDirectory.resolve("ports.properties"));
            int port = options.port() == 0
                    ? ports.portFor("postgresql")
                    : ports.fixedPort("postgresql", "PostgreSQL", options.port());
            EmbeddedPostgres server = startServer(dataDirectory, pgData, port, options);
            EmbeddedDatabase started = new EmbeddedDatabase(lock, server, options.database());
            started.createDatabaseIfAbsent();
            return started;
        } catch (EmbeddedStartException e) {
            lock.close();
            throw e;
        }
    }

    private static EmbeddedPostgres startServer(Path directory, Path pgData, int port, DatabaseOptions options) {
        File serverLog = directory.resolve("postgresql.log").toFile();
        try {
            return EmbeddedPostgres.builder()
                    .setDataDirectory(pgData)
                    .setCleanDataDirectory(false)
                    .setPort(port)
                    .setPGStartupWait(START_MAX)
                    .setLocaleConfig("locale", "C")
                    .setServerConfig("wal_level", options.walLevel())
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "60")
                    .setServerConfig("max_replication_slots", "8")
                    .setServerConfig("max_wal_senders", "8")
                    .setServerConfig("shared_buffers", "64MB")
                    .setServerConfig("timezone", "UTC")
                    .setServerConfig("log_timezone", "UTC")
                    .setOutputRedirector(ProcessBuilder.Redirect.appendTo(serverLog))
                    .setErrorRedirector(ProcessBuilder.Redirect.appendTo(serverLog))
                    .start();
        } catch (IOException | IllegalStateException e) {
            throw new EmbeddedStartException(
                    "PostgreSQL: expected a server to start in " + directory + ", found: " + e.getMessage() + "; see "
                            + serverLog,
                    e);
        }
    }

    private void createDatabaseIfAbsent() {
        try (Connection connection = DriverManager.getConnection(jdbcUrl("postgres"), USER, PASSWORD);
                Statement statement = connection.createStatement()) {
            try (ResultSet found =
                    statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + database + "'")) {
                if (found.next()) {
                    return;
                }
            }
            statement.execute("CREATE DATABASE " + database);
        } catch (SQLException e) {
            close();
            throw new EmbeddedStartException(
                    "PostgreSQL: cannot create database " + database + ": " + e.getMessage(), e);
        }
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return server.getPort();
    }

    public String user() {
        return USER;
    }

    public String password() {
        return PASSWORD;
    }

    public String database() {
        return database;
    }

    /** The JDBC URL of the database, without user and password. */
    public String jdbcUrl() {
        return jdbcUrl(database);
    }

    /** As {@code psql} takes it, with user and password, which are the same in every embedded database. */
    public String uri() {
        return "postgresql://" + USER + ":" + PASSWORD + "@" + host() + ":" + port() + "/" + database;
    }

    private String jdbcUrl(String name) {
        return "jdbc:postgresql://" + host() + ":" + port() + "/" + name;
    }

    /** A new connection of the superuser, to be closed by the caller. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), USER, PASSWORD);
    }

    /** Stops the server cleanly. The data stays. Closing twice does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            server.close();
        } catch (IOException e) {
            log.error("PostgreSQL on port {} did not stop cleanly: {}", server.getPort(), e.getMessage());
        } finally {
            lock.close();
        }
    }
}
