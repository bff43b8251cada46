package dev.vigil.launcher;

import dev.vigil.alerting.receiver.WebhookReceiver;
import dev.vigil.embedded.EmbeddedDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The configuration that a demo runs with: the same kind of file as a deployment's, written into its data directory. */
final class DemoConfigText {
    static final String FIRST_LINE =
            "# Written by 'vigil demo' at each start; 'vigil query', 'verify' and 'policy' read it.";
    private static final String TABLES = "/dev/vigil/demo/tables.yaml";

    private DemoConfigText() {}

    /** @param secret of the webhook receiver, {@code whsec_…} */
    static String write(
            String bootstrapServers,
            EmbeddedDatabase database,
            WebhookReceiver receiver,
            String secret,
            DemoRun.Settings settings) {
        return """
                %s
                data-dir: .
                kafka: {bootstrap-servers: "%s", partitions: 4, replication-factor: 1}
                scoring:
                  threads: 2
                  checkpoint: {interval: 10s}
                cdc:
                  database: {host: %s, port: %d, user: %s, password: "%s", name: %s}
                  accept-gap: %s
                  tables:
                %s
                alerting:
                  endpoints:
                    - {name: demo-receiver, url: "%s", secrets: [%s], allow-private: true}
                lakehouse: {commit-interval: 10s}
                dashboard: {port: %d}
                """.formatted(
                        FIRST_LINE,
                        bootstrapServers,
                        database.host(),
                        database.port(),
                        database.user(),
                        database.password(),
                        database.database(),
                        settings.acceptGap(),
                        tables().indent(4).stripTrailing(),
                        receiver.url(),
                        secret,
                        settings.port());
    }

    private static String tables() {
        try (InputStream in = DemoConfigText.class.getResourceAsStream(TABLES)) {
            return new String(java.util.Objects.requireNonNull(in, TABLES).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
