package dev.vigil.demo;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A real PostgreSQL with a database for one test class. */
final class PostgreSqlForTests implements AutoCloseable {
    private final EmbeddedPostgres server;

    PostgreSqlForTests() throws IOException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("wal_level", "logical")
                .start();
    }

    BankDatabase connect() throws SQLException {
        return BankDatabase.connect(server.getJdbcUrl("postgres", "postgres"), "postgres", "");
    }

    String queryText(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
