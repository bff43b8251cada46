package dev.vigil.embedded;

import java.util.Objects;

/**
 * How an {@link EmbeddedDatabase} is started.
 *
 * @param database name of the database that is created on the first start
 * @param walLevel {@code logical} for change data capture, {@code replica} to see what happens without it
 * @param port     a port that must be free, or 0: the port that the data directory keeps, or a free one
 */
public record DatabaseOptions(String database, String walLevel, int port) {

    public DatabaseOptions {
        Objects.requireNonNull(walLevel, "walLevel");
        if (!database.matches("[a-z_][a-z0-9_]*")) {
            throw new IllegalArgumentException("expected a lower-case database name, found '" + database + "'");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("expected a port from 0 to 65535, found " + port);
        }
    }

    /** Database {@code bank}, logical WAL, kept port. */
    public static DatabaseOptions defaults() {
        return new DatabaseOptions("bank", "logical", 0);
    }

    public DatabaseOptions withDatabase(String name) {
        return new DatabaseOptions(name, walLevel, port);
    }

    public DatabaseOptions withWalLevel(String level) {
        return new DatabaseOptions(database, level, port);
    }

    public DatabaseOptions withPort(int fixedPort) {
        return new DatabaseOptions(database, walLevel, fixedPort);
    }
}
