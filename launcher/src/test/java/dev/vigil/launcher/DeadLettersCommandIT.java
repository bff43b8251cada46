package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import dev.vigil.event.SourcePosition;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** {@code vigil dead-letters} as a person calls it. */
class DeadLettersCommandIT {
    private static final long START_MS = 1_780_000_000_000L;

    @TempDir
    static Path brokerDirectory;

    private static EmbeddedKafka broker;

    @TempDir
    Path directory;

    private Path config;
    private KafkaConfig kafka;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedKafka.start(brokerDirectory);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void createTopics(TestInfo test) throws IOException {
        config = Files.writeString(
                directory.resolve("vigil.yaml"),
                "data-dir: .\nkafka: {bootstrap-servers: \"" + broker.bootstrapServers()
                        + "\", partitions: 2, replication-factor: 1, retention: 3650d, topic-prefix: "
                        + test.getTestMethod().orElseThrow().getName() + "}\n");
        kafka = VigilConfig.load(config, Map.of()).kafka();
        TopicSetup.ensure(kafka, "test");
    }

    private void setAside(long atMs, Reason reason, String detail, byte[] value) throws Exception {
        List<Header> headers = new ArrayList<>();
        headers.add(new RecordHeader(EventEnvelope.ID_HEADER, "e-1".getBytes(StandardCharsets.UTF_8)));
        new DeadLetter(reason, DeadLetter.ENGINE_STAGE, detail, new SourcePosition("topic-id", 1, 17))
                .headers()
                .forEach((name, header) -> headers.add(new RecordHeader(name, header)));
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "test", Map.of())) {
            producer.send(new ProducerRecord<>(
                            kafka.topics().deadLetters(),
                            1,
                            atMs,
                            "acc-1".getBytes(StandardCharsets.UTF_8),
                            value,
                            headers))
                    .get();
        }
    }

    private void setAside(int n, Reason reason) throws Exception {
        setAside(START_MS + n * 1_000L, reason, "amount: expected a decimal number", bytes("{\"n\":" + n + "}"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private CommandResult deadLetters(String... arguments) {
        List<String> words = new ArrayList<>(List.of("dead-letters", arguments[0], "--config", config.toString()));
        words.addAll(List.of(arguments).subList(1, arguments.length));
        return CommandResult.of(words.toArray(new String[0]));
    }

    @Test
    void shouldListNewestFirstWithinBoundsAndFilters() throws Exception {
        assertThat(deadLetters("list").out()).isEqualTo("no dead letters\n");
        setAside(0, Reason.BAD_AMOUNT);
        setAside(1, Reason.NO_POLICY);
        setAside(2, Reason.BAD_AMOUNT);

        assertThat(deadLetters("list").out()).isEqualTo("""
                position  set aside             reason      stage           retried  detail
                1:2       2026-05-28T20:26:42Z  bad_amount  scoring-engine           amount: expected a decimal number
                1:1       2026-05-28T20:26:41Z  no_policy   scoring-engine           amount: expected a decimal number
                1:0       2026-05-28T20:26:40Z  bad_amount  scoring-engine           amount: expected a decimal number
                """);
        assertThat(deadLetters("list", "--limit", "2").out())
                .hasLineCount(4)
                .endsWith("there are more; --limit lists more, --from and --to others\n");
        assertThat(deadLetters("list", "--reason", "no_policy").out())
                .contains("1:1 ")
                .doesNotContain("1:0 ", "1:2 ");
        assertThat(deadLetters("list", "--from", "2026-05-28T20:26:41Z", "--to", "2026-05-28T20:26:42Z")
                        .out())
                .contains("1:1 ")
                .doesNotContain("1:0 ", "1:2 ");
        JsonNode json =
                Json.mapper().readTree(deadLetters("list", "--format", "json").out());
        assertThat(json).hasSize(3);
        assertThat(json.get(0).path("origin").asText()).endsWith(".events:1:17");
    }

    @Test
    void shouldShowEverythingOnItsLinesAndMaskCardNumbersUnlessRaw() throws Exception {
        byte[] value = bytes("{\"pan\":\"4111 1111 1111 1111\",\n\"x\":\"\u202e\"}");
        setAside(START_MS, Reason.BAD_FIELD, "x: expected\na\u001b[31m number", value);

        String shown = deadLetters("show", "1:0").out();
        assertThat(shown).isEqualTo("""
                position   1:0
                set aside  2026-05-28T20:26:40Z by scoring-engine
                reason     bad_field
                detail     x: expected\\na\\u001b[31m number
                came from  %s.events:1:17
                key        acc-1
                ce_id      e-1

                value, 40 bytes
                  {"pan":"4111 11** **** 1111",
                  "x":"\\u202e"}
                """.formatted(kafka.topics().prefix()));

        Path raw = directory.resolve("raw");
        assertThat(deadLetters("show", "1:0", "--raw", "--out", raw.toString()).exitCode())
                .isZero();
        assertThat(Files.readAllBytes(raw)).isEqualTo(value);

        setAside(START_MS, Reason.MALFORMED_JSON, "not JSON", new byte[] {(byte) 0xff, (byte) 0xff});
        assertThat(deadLetters("show", "1:1").out()).endsWith("value, 2 bytes in hex\n  ffff\n");
    }

    @Test
    void shouldPutBackOneWithoutAskingAndShowItAsRetried() throws Exception {
        setAside(0, Reason.BAD_AMOUNT);

        CommandResult retried = deadLetters("retry", "1:0");

        assertThat(retried.err()).isEmpty();
        assertThat(retried.out()).isEqualTo("1:0 is now " + kafka.topics().events() + ":1:0\n");
        assertThat(deadLetters("list").out()).contains("Z  bad_amount  scoring-engine  20");
        assertThat(deadLetters("show", "1:0").out())
                .contains(", stands in " + kafka.topics().events() + ":1:0");
    }

    @Test
    void shouldPutBackManyOnlyWhenConfirmedAndEachOnce() throws Exception {
        setAside(0, Reason.BAD_AMOUNT);
        setAside(1, Reason.NO_POLICY);
        setAside(2, Reason.NO_POLICY);

        assertThat(deadLetters("retry", "--reason", "no_policy", "--dry-run").out())
                .isEqualTo("2 would be put back\n1:1\n1:2\n");
        CommandResult unconfirmed = deadLetters("retry", "--reason", "no_policy");
        assertThat(unconfirmed.exitCode()).isEqualTo(1);
        assertThat(unconfirmed.err()).isEqualTo("vigil: 2 would be put back; --yes does it without asking\n");

        String log = kafka.topics().events();
        assertThat(deadLetters("retry", "--reason", "no_policy", "--yes").out())
                .isEqualTo("1:1 is now " + log + ":1:0\n1:2 is now " + log + ":1:1\n2 put back\n");
        assertThat(deadLetters("retry", "--from", "2026-01-01T00:00:00Z", "--yes")
                        .out())
                .isEqualTo("2 were put back before and are left alone\n1:0 is now " + log + ":1:2\n");
        assertThat(deadLetters("retry", "--reason", "no_policy", "--yes").out())
                .isEqualTo("2 were put back before and are left alone\n0 put back\n");
    }

    @Test
    void shouldSayWhatIsWrongWithACall() throws Exception {
        setAside(0, Reason.BAD_AMOUNT);

        assertSays(
                2,
                "--reason: unknown reason 'bad_amuont', did you mean 'bad_amount'?",
                "list",
                "--reason",
                "bad_amuont");
        assertSays(2, "--from: expected a time such as 2026-11-30T12:00:00Z, found noon", "list", "--from", "noon");
        assertSays(2, "--limit: expected an integer from 1 to 1000000, found 0", "list", "--limit", "0");
        assertSays(2, "--format: expected table or json, found csv", "list", "--format", "csv");
        assertSays(2, "POSITION: expected partition:offset, as in 3:17, found 17", "show", "17");
        assertSays(2, "--out: expected --raw beside it", "show", "1:0", "--out", "x");
        assertSays(1, "there is no dead letter at 1:9", "show", "1:9");
        assertSays(
                2, "expected either positions, or options such as --reason that say which letters are meant", "retry");
        assertSays(
                2,
                "expected either positions, or options such as --reason that say which letters are meant",
                "retry",
                "1:0",
                "--stage",
                "intake");
        CommandResult gone = deadLetters("retry", "1:9");
        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(gone.out()).isEqualTo("1:9 was not put back: there is no dead letter at this position\n");
        assertThat(gone.err()).isEqualTo("vigil: 1 of 1 could not be put back\n");
    }

    private void assertSays(int exitCode, String message, String... arguments) {
        CommandResult result = deadLetters(arguments);
        assertThat(result.exitCode()).isEqualTo(exitCode);
        assertThat(result.err().lines().findFirst()).contains("vigil: " + message);
        assertThat(result.err()).hasLineCount(exitCode == 2 ? 2 : 1);
    }
}
