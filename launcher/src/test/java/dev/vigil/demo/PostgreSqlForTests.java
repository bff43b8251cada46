package dev.vigil.demo;

import dev.vigil.embedded.EmbeddedDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A real PostgreSQL for one test class. */
final class PostgreSqlForTests implements AutoCloseable {
    private final EmbeddedDatabase server;

    PostgreSqlForTests(Path directory) {
        server = EmbeddedDatabase.start(directory);
    }

    BankDatabase connect() throws SQLException {
        return BankDatabase.connect(server.jdbcUrl(), server.user(), server.password());
    }

    String queryText(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
