package dev.vigil.cdc.postgres;

import dev.vigil.cdc.DatabaseConfig;
import dev.vigil.cdc.Gap;
import dev.vigil.cdc.GapException;
import dev.vigil.cdc.SourceUnreachableException;
import dev.vigil.service.ServiceException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** Opens connections to the captured database. Safe for any thread. */
public final class SourceDatabase {

    private static final String INVALID_PASSWORD = "28P01";
    private static final String INVALID_AUTHORIZATION = "28000";
    private static final String NO_SUCH_DATABASE = "3D000";

    private final DatabaseConfig config;

    public SourceDatabase(DatabaseConfig config) {
        this.config = config;
    }

    /**
     * A connection in auto-commit mode, to be closed by the caller.
     *
     * @throws SourceUnreachableException if the server does not answer
     * @throws ServiceException if it answers and refuses
     */
    public Connection connect() {
        return connect(new Properties());
    }

    /** As {@link #connect}, for commands of the replication protocol. */
    Connection connectForReplication() {
        Properties properties = new Properties();
        properties.setProperty("replication", "database");
        properties.setProperty("assumeMinServerVersion", "14");
        properties.setProperty("preferQueryMode", "simple");
        return connect(properties);
    }

    private Connection connect(Properties properties) {
        properties.setProperty("user", config.user());
        properties.setProperty("password", config.password());
        properties.setProperty("sslmode", config.sslMode());
        properties.setProperty("ApplicationName", "vigil-cdc-ingest");
        properties.setProperty("connectTimeout", "10");
        properties.setProperty("socketTimeout", "30");
        try {
            return DriverManager.getConnection(config.jdbcUrl(), properties);
        } catch (SQLException e) {
            throw refusal(e);
        }
    }

    private ServiceException refusal(SQLException e) {
        String message = "PostgreSQL at " + config.address() + ": " + firstLine(e);
        String state = String.valueOf(e.getSQLState());
        return switch (state) {
            case INVALID_PASSWORD, INVALID_AUTHORIZATION, NO_SUCH_DATABASE -> new ServiceException(message, e);
            default -> new SourceUnreachableException(message, e);
        };
    }

    /** For a statement that failed on an open connection. */
    ServiceException failure(String what, SQLException e) {
        String message = "PostgreSQL at " + config.address() + ": " + what + ": " + firstLine(e);
        boolean connectionLost = String.valueOf(e.getSQLState()).startsWith("08")
                || String.valueOf(e.getSQLState()).startsWith("57P");
        return connectionLost ? new SourceUnreachableException(message, e) : new ServiceException(message, e);
    }

    ServiceException refuse(String message) {
        return new ServiceException("PostgreSQL at " + config.address() + ": " + message);
    }

    GapException gap(Gap gap) {
        return new GapException("PostgreSQL at " + config.address(), gap);
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    }
}
