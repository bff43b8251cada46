package dev.vigil.launcher;

import dev.vigil.embedded.EmbeddedDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedDatabaseContractIT extends DatabaseContract {
    @TempDir
    static Path directory;

    private static EmbeddedDatabase database;

    @BeforeAll
    static void start() throws SQLException {
        database = EmbeddedDatabase.start(directory);
        try (Connection connection = database.connect()) {
            InitScripts.run(connection, PASSWORD);
        }
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Override
    String jdbcUrl() {
        return database.jdbcUrl();
    }

    @Override
    Connection connectAsOwner() throws SQLException {
        return database.connect();
    }
}
