package dev.vigil.dashboard.kafka;

import static dev.vigil.dashboard.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.ActivePolicy.State;
import dev.vigil.dashboard.intake.DeclaredTypes;
import dev.vigil.dashboard.intake.FakePolicies;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import dev.vigil.event.PolicyActivation;
import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The active policy, followed in the log of a real broker. */
final class IntakePolicyIT {
    @TempDir
    static Path directory;

    private static EmbeddedKafka broker;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedKafka.start(directory.resolve("kafka"));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private static KafkaConfig kafka(EmbeddedKafka at, String prefix) {
        KafkaConfig config = new KafkaConfig(
                at.bootstrapServers(), new TopicNames(prefix), 2, (short) 1, (short) 1, Duration.ofDays(1), Map.of());
        KafkaTopics.ensure(config);
        return config;
    }

    private static void register(KafkaConfig kafka, byte @Nullable [] value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "test", Map.of())) {
            producer.send(new ProducerRecord<>(kafka.topics().policies(), 0, new byte[] {1}, value))
                    .get();
        }
    }

    private static byte[] activation(KafkaConfig kafka, long offset, String text) {
        try (Admin admin = KafkaClients.admin(kafka, "test")) {
            String log = TopicSetup.id(admin, kafka.topics().events()).orElseThrow();
            return Json.encode(new PolicyActivation(log, "p", false, Map.of(0, offset), text));
        }
    }

    private static void activate(KafkaConfig kafka, long offset, String text) throws Exception {
        register(kafka, activation(kafka, offset, text));
    }

    private static List<DeclaredTypes.Complaint> complaints(ActivePolicy policy, String type) {
        EventEnvelope event = new EventEnvelope("e", "/s", type, 0, "a", false, "{}".getBytes(StandardCharsets.UTF_8));
        return policy.types().orElseThrow().check(event, 0).complaints();
    }

    @Test
    void shouldKnowThePolicyOfTheLogAndEachThatFollows() throws Exception {
        KafkaConfig kafka = kafka(broker, "follow");
        activate(kafka, 10, "first: a");
        activate(kafka, 20, "second: a");
        ActivePolicy policy = new ActivePolicy(FakePolicies.none());
        try (PolicyFollower follower = new PolicyFollower(kafka, policy)) {
            assertThat(policy.state()).isEqualTo(State.READING);
            assertThat(policy.types()).isEmpty();
            follower.start();
            await().until(() -> policy.state() == State.ACTIVE);
            assertThat(complaints(policy, "second")).isEmpty();
            assertThat(complaints(policy, "first")).isNotEmpty();

            activate(kafka, 15, "found: later");
            activate(kafka, 30, "third: a");
            await().until(() -> complaints(policy, "third").isEmpty());
        }
    }

    @Test
    void shouldSayThatThereIsNoneAndPassByWhatIsNoActivation() throws Exception {
        KafkaConfig kafka = kafka(broker, "none");
        register(kafka, "not JSON".getBytes(StandardCharsets.UTF_8));
        register(kafka, null);
        register(kafka, Json.encode(PolicyActivation.begin("other", "p", 1, "half: told")));
        register(kafka, Json.encode(new PolicyActivation("other log", "p", false, Map.of(0, 1L), "other: log")));
        ActivePolicy policy = new ActivePolicy(FakePolicies.none());
        try (PolicyFollower follower = new PolicyFollower(kafka, policy)) {
            follower.start();
            await().until(() -> policy.state() == State.NONE);

            activate(kafka, 1, "half: told");
            await().until(() -> policy.state() == State.ACTIVE);
        }
    }

    @Test
    void shouldGoOnWhenTheBrokerComesBack() throws Exception {
        Path place = directory.resolve("kafka-that-comes-back");
        ActivePolicy policy = new ActivePolicy(FakePolicies.none());
        EmbeddedKafka first = EmbeddedKafka.start(place);
        KafkaConfig kafka = kafka(first, "back");
        activate(kafka, 10, "first: a");
        try (PolicyFollower follower = new PolicyFollower(kafka, policy)) {
            follower.start();
            await().until(() -> policy.state() == State.ACTIVE);
            first.close();
            try (EmbeddedKafka second = EmbeddedKafka.start(place)) {
                assertThat(second.bootstrapServers()).isEqualTo(kafka.bootstrapServers());
                assertThat(policy.state()).as("what was known stays known").isEqualTo(State.ACTIVE);
                activate(kafka, 20, "second: a");
                await().until(() -> complaints(policy, "second").isEmpty());
            }
        }
    }
}
