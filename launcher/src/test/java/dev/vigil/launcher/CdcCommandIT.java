package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.embedded.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code vigil cdc snapshot} with a database that it can ask. */
final class CdcCommandIT {
    @TempDir
    private Path directory;

    @Test
    void shouldRefuseAConditionThatTheDatabaseDoesNotTakeAndChangeNothing() throws Exception {
        Path requests = directory.resolve("data/cdc-ingest/snapshot-requests.jsonl");
        Files.createDirectories(requests.getParent());
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory.resolve("postgresql"));
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE payments (id bigint PRIMARY KEY, account_id text, at timestamptz)");
            Files.writeString(directory.resolve("vigil.yaml"), """
                data-dir: data
                kafka: {bootstrap-servers: "127.0.0.1:1"}
                cdc:
                  database: {host: %s, port: %d, user: %s, password: %s, name: %s}
                  tables:
                    public.payments: {event: payment, account: account_id, time: at, fields: {}}
                """.formatted(
                    database.host(), database.port(), database.user(), database.password(), database.database()));

            CommandResult unknown = snapshot("nocol = 1");
            CommandResult second = snapshot("true) LIMIT 0; DROP TABLE payments; --");

            assertThat(unknown.exitCode()).isNotZero();
            assertThat(unknown.err())
                    .contains("--where: expected a condition on the rows of public.payments, found 'nocol = 1': ")
                    .contains("column \"nocol\" does not exist");
            assertThat(second.exitCode()).isNotZero();
            assertThat(requests).doesNotExist();
            statement.execute("SELECT 1 FROM payments");

            CommandResult good = snapshot("id <= 5");
            assertThat(good.exitCode()).as(good.err()).isZero();
            assertThat(requests).content().contains("id <= 5");
        }
    }

    private CommandResult snapshot(String where) {
        return CommandResult.of(
                "cdc",
                "snapshot",
                "--config",
                directory.resolve("vigil.yaml").toString(),
                "public.payments",
                "--where",
                where);
    }
}
