package dev.vigil.cdc.mysql;

import dev.vigil.cdc.DatabaseConfig;
import dev.vigil.cdc.Gap;
import dev.vigil.cdc.GapException;
import dev.vigil.cdc.SourceUnreachableException;
import dev.vigil.service.ServiceException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** Connections to the captured server, and what it says when something is wrong. Safe for any thread. */
public final class MySqlDatabase {

    private static final int ACCESS_DENIED = 1045;
    private static final int DATABASE_DENIED = 1044;
    private static final int UNKNOWN_DATABASE = 1049;

    private final DatabaseConfig config;

    public MySqlDatabase(DatabaseConfig config) {
        this.config = config;
    }

    /**
     * A connection in auto-commit mode, to be closed by the caller.
     *
     * @throws SourceUnreachableException if the server does not answer
     * @throws ServiceException if it answers and refuses
     */
    public Connection connect() {
        Properties properties = new Properties();
        properties.setProperty("user", config.user());
        properties.setProperty("password", config.password());
        properties.setProperty("sslMode", sslMode());
        properties.setProperty("allowPublicKeyRetrieval", "true");
        properties.setProperty("connectTimeout", "10000");
        properties.setProperty("socketTimeout", "30000");
        properties.setProperty("connectionAttributes", "program_name:vigil-cdc-ingest");
        try {
            return DriverManager.getConnection(config.jdbcUrl(), properties);
        } catch (SQLException e) {
            String message = address() + firstLine(e);
            throw switch (e.getErrorCode()) {
                case ACCESS_DENIED, DATABASE_DENIED, UNKNOWN_DATABASE -> new ServiceException(message, e);
                default -> new SourceUnreachableException(message, e);
            };
        }
    }

    /** As the driver spells it. */
    public String sslMode() {
        return config.sslMode().replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** For a statement that failed on an open connection. */
    ServiceException failure(String what, SQLException e) {
        String message = address() + what + ": " + firstLine(e);
        return String.valueOf(e.getSQLState()).startsWith("08")
                ? new SourceUnreachableException(message, e)
                : new ServiceException(message, e);
    }

    ServiceException refuse(String message) {
        return new ServiceException(address() + message);
    }

    GapException gap(Gap gap) {
        return new GapException("MySQL at " + config.address(), gap);
    }

    private String address() {
        return "MySQL at " + config.address() + ": ";
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage())
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("no reason given");
    }

    /** The columns of the first row, as texts; null columns are empty. Empty if there is no row. */
    static List<String> firstRow(Connection connection, String sql, String... parameters) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                query.setString(i + 1, parameters[i]);
            }
            try (ResultSet result = query.executeQuery()) {
                List<String> row = new ArrayList<>();
                if (result.next()) {
                    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                        String value = result.getString(i);
                        row.add(value == null ? "" : value);
                    }
                }
                return row;
            }
        }
    }
}
