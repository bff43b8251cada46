package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code vigil cdc snapshot} up to the request that the service finds; what it does with it is held in cdc-ingest. */
final class CdcCommandTest {

    private static final String CDC = """
            cdc:
              database: {host: 127.0.0.1, user: u, name: bank}
              tables:
                public.payments: {event: payment, account: account_id, time: at, fields: {}}
                public.cards: {lookup: card, account: account_id}
            """;

    @TempDir
    Path directory;

    private Path config;
    private Path data;

    @BeforeEach
    void writeConfig() throws Exception {
        config = Files.writeString(
                directory.resolve("vigil.yaml"), "data-dir: data\nkafka: {bootstrap-servers: \"127.0.0.1:1\"}\n" + CDC);
        data = directory.resolve("data").resolve("cdc-ingest");
    }

    private CommandResult snapshot(String... arguments) {
        String[] all = new String[arguments.length + 4];
        List.of("cdc", "snapshot", "--config", config.toString()).toArray(all);
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        return CommandResult.of(all);
    }

    private List<Map<String, Object>> requests() throws Exception {
        Path file = data.resolve("snapshot-requests.jsonl");
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .map(line -> Json.decodeObject(line.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                        .toList()
                : List.of();
    }

    @Test
    void shouldLeaveARequestForTheServiceToFind() throws Exception {
        Files.createDirectories(data);

        CommandResult some = snapshot("public.payments", "--where", "id <= 5");
        CommandResult all = snapshot("public.cards");

        assertThat(some.exitCode()).isZero();
        assertThat(some.out()).contains("cdc-ingest reads public.payments again where id <= 5");
        assertThat(all.exitCode()).isZero();
        assertThat(all.out()).contains("cdc-ingest reads public.cards again;");
        assertThat(requests())
                .hasSize(2)
                .allSatisfy(request -> assertThat(request).containsEntry("type", "execute-snapshot"));
        assertThat(requests().get(0))
                .extractingByKey("data")
                .asString()
                .contains("payments")
                .contains("id <= 5");
        assertThat(requests().get(1)).extractingByKey("data").asString().doesNotContain("filter");
    }

    @Test
    void shouldRefuseATableThatIsNotMappedWithTheNearestOne() throws Exception {
        Files.createDirectories(data);

        CommandResult result = snapshot("public.payment");

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err()).contains("no mapped table 'public.payment', did you mean public.payments?");
        assertThat(requests()).isEmpty();
    }

    @Test
    void shouldRefuseToWriteWhereNoServiceWouldLook() throws Exception {
        CommandResult result = snapshot("public.payments");

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err())
                .contains("expected the data of cdc-ingest in " + data)
                .contains("found none");
        assertThat(data).doesNotExist();
    }

    @Test
    void shouldRefuseAConfigurationWithoutChangeCapture() throws Exception {
        Files.writeString(config, "data-dir: data\nkafka: {bootstrap-servers: \"127.0.0.1:1\"}\n");

        CommandResult result = snapshot("public.payments");

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err()).contains("expected a section 'cdc' in the configuration, found none");
    }
}
