package dev.vigil.embedded;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;

/** Starts a database in a process that the test then kills. */
final class DatabaseOwner {

    static final String READY = "ready";

    private DatabaseOwner() {}

    public static void main(String[] args) throws Exception {
        EmbeddedDatabase database = EmbeddedDatabase.start(Path.of(args[0]));
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id int PRIMARY KEY)");
            statement.execute("INSERT INTO t VALUES (1)");
        }
        System.out.println(READY);
        Thread.currentThread().join();
    }
}
