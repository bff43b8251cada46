package dev.vigil.launcher;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The scripts that the deployment's PostgreSQL runs when it is new, for a server without psql. */
final class InitScripts {
    private static final List<String> FILES =
            List.of("launcher/src/main/resources/dev/vigil/demo/schema.sql", "deploy/postgres/20-vigil.sql");

    private InitScripts() {}

    /**
     * Runs them as the database's owner, each statement by itself as psql does.
     *
     * @param password of the role that they make for Vigil
     */
    static void run(Connection connection, String password) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String file : FILES) {
                String script = Repository.text(file)
                        .replaceAll("(?m)^\\\\getenv .*$", "")
                        .replace(":'vigil_password'", "'" + password.replace("'", "''") + "'");
                for (String sql : script.split(";\\s*\\n", -1)) {
                    if (!sql.isBlank()) {
                        statement.execute(sql);
                    }
                }
            }
        }
    }
}
