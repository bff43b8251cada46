package dev.vigil.dashboard.kafka;

import static dev.vigil.dashboard.Patience.await;
import static dev.vigil.dashboard.kafka.IntakeHarness.attributes;
import static dev.vigil.dashboard.kafka.IntakeHarness.header;
import static dev.vigil.dashboard.kafka.IntakeHarness.ids;
import static dev.vigil.dashboard.kafka.IntakeHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.dashboard.avro.AvroValues;
import dev.vigil.dashboard.avro.AvroValuesTest;
import dev.vigil.dashboard.http.FakeRegistry;
import dev.vigil.dashboard.http.SchemaRegistry;
import dev.vigil.dashboard.intake.RegistryConfig;
import dev.vigil.dashboard.intake.RegistryValues;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.DeadLetter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Avro values by a schema registry, on a real broker. */
final class KafkaIntakeAvroIT {
    private static final Schema LOGIN = new Schema.Parser().parse("""
        {"type":"record","name":"Login","namespace":"shop","fields":[
          {"name":"id","type":"string"},
          {"name":"time","type":{"type":"long","logicalType":"timestamp-millis"}},
          {"name":"account","type":"string"},
          {"name":"type","type":{"type":"enum","name":"Kind","symbols":["login","logout"]}},
          {"name":"device","type":["null","string"]}]}""");

    @TempDir
    static Path directory;

    private static EmbeddedKafka broker;

    private final FakeRegistry registry = new FakeRegistry();
    private IntakeHarness at;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedKafka.start(directory.resolve("kafka"));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void createTopics(TestInfo test) {
        at = new IntakeHarness(
                broker.bootstrapServers(), test.getTestMethod().orElseThrow().getName());
    }

    @AfterEach
    void close() {
        at.close();
        registry.close();
    }

    private KafkaIntake intake() {
        RegistryConfig config = new RegistryConfig(URI.create(registry.url()), null, null, Duration.ofSeconds(2), 100);
        RegistryValues values = new AvroValues(new SchemaRegistry(config), config.maxSchemas(), 1 << 18);
        return at.intake("{}", IntakeHarness.policy(IntakeHarness.POLICY), values, Map.of());
    }

    private static byte[] login(int schema, String id, String kind) {
        GenericRecord record = new GenericData.Record(LOGIN);
        record.put("id", id);
        record.put("time", 1_796_021_724_250L);
        record.put("account", "acc-1");
        record.put("type", new GenericData.EnumSymbol(LOGIN.getField("type").schema(), kind));
        record.put("device", "d1");
        return AvroValuesTest.value(schema, record);
    }

    @Test
    void shouldTakeAvroAsThePolicyReadsPlainRecords() {
        registry.schema(7, LOGIN.toString());
        at.send(0, "k", login(7, "plain", "login"));
        GenericRecord data = new GenericData.Record(
                new Schema.Parser()
                        .parse(
                                "{\"type\":\"record\",\"name\":\"Data\",\"fields\":[{\"name\":\"device\",\"type\":\"string\"}]}"));
        data.put("device", "d2");
        registry.schema(8, data.getSchema().toString());
        String[] attributes = attributes("attributed", "acc-1");
        attributes[attributes.length - 1] = "application/avro";
        at.send(0, "k", AvroValuesTest.value(8, data), attributes);
        at.send(0, "k", IntakeHarness.bytes(IntakeHarness.login("json", "acc-1")));
        try (KafkaIntake intake = intake()) {
            await().untilAsserted(() -> assertThat(intake.status().accepted()).isEqualTo(3));
        }
        var log = at.log();
        assertThat(ids(log)).containsExactly("plain", "attributed", "json");
        assertThat(header(log.get(0), "ce_time")).isEqualTo(IntakeHarness.TIME);
        assertThat(header(log.get(0), "ce_source")).isEqualTo("/plain");
        assertThat(text(log.get(0).value())).contains("\"device\":\"d1\"");
        assertThat(text(log.get(1).value())).isEqualTo("{\"device\":\"d2\"}");
        assertThat(registry.asked()).containsExactly("/schemas/ids/7", "/schemas/ids/8");
    }

    @Test
    void shouldSetAsideWhatHasAnUnknownSchemaOrIsNotAsItSays() {
        registry.schema(7, LOGIN.toString());
        byte[] cut = java.util.Arrays.copyOf(login(7, "cut", "login"), 12);
        at.send(0, "k", login(9, "unknown", "login"));
        at.send(0, "k", cut);
        at.send(0, "k", login(7, "other", "logout"));
        at.send(0, "k", login(7, "good", "login"));
        try (KafkaIntake intake = intake()) {
            await().untilAsserted(() -> {
                assertThat(intake.status().accepted()).isEqualTo(1);
                assertThat(intake.status().deadLettered()).isEqualTo(3);
            });
        }
        assertThat(at.letters())
                .extracting(letter -> header(letter, DeadLetter.REASON_HEADER))
                .containsExactly("unknown_schema", "malformed_json", "unknown_event_type");
        assertThat(at.letters().get(0).value()).isEqualTo(login(9, "unknown", "login"));
        assertThat(at.letters().get(1).value()).isEqualTo(cut);
    }

    /** Field case B02. */
    @Test
    void shouldWaitForTheRegistryAndSetNothingAside() {
        registry.schema(7, LOGIN.toString());
        registry.breakWith(503);
        for (int i = 0; i < 5; i++) {
            at.send(
                    0,
                    "k",
                    i == 2 ? login(7, "e2", "login") : IntakeHarness.bytes(IntakeHarness.login("e" + i, "acc-1")));
        }
        try (KafkaIntake intake = intake()) {
            await().until(() -> intake.status().problem() != null
                    && intake.status().problem().contains("answers 503"));
            await().until(() -> registry.asked().size() > 1);
            assertThat(ids(at.log()))
                    .as("what comes before has been written, and once")
                    .containsExactly("e0", "e1");
            registry.breakWith(0);
            await().untilAsserted(() -> assertThat(intake.status().accepted()).isEqualTo(5));
            await().until(() -> intake.status().problem() == null);
        }
        assertThat(ids(at.log())).containsExactly("e0", "e1", "e2", "e3", "e4");
        assertThat(at.letters()).isEmpty();
    }

    @Test
    void shouldStoreNoCardNumberThatAvroHoldsInBinary() {
        Schema schema = new Schema.Parser().parse("""
            {"type":"record","name":"Pay","fields":[{"name":"id","type":"string"},{"name":"card","type":"long"},
             {"name":"note","type":"string"}]}""");
        registry.schema(7, schema.toString());
        GenericRecord record = new GenericData.Record(schema);
        record.put("id", "e1");
        record.put("card", 4111111111111111L);
        record.put("note", "card 5500000000000004 here");
        at.send(0, "k", AvroValuesTest.value(7, record));
        try (KafkaIntake intake = intake()) {
            await().untilAsserted(
                            () -> assertThat(intake.status().deadLettered()).isEqualTo(1));
        }
        var letter = at.letters().get(0);
        assertThat(header(letter, DeadLetter.REASON_HEADER)).isEqualTo("card_number");
        assertThat(letter.value())
                .as("no star can take a number's place in binary")
                .isNull();
        assertThat(header(letter, DeadLetter.MASKED_HEADER)).isEqualTo("true");
        assertThat(header(letter, DeadLetter.DETAIL_HEADER)).doesNotContain("4111111111111111", "5500000000000004");
    }
}
