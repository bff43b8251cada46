package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.engine.EngineConfig;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.scoring.state.TaskState.End;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import dev.vigil.service.status.RecordCounts;
import dev.vigil.service.status.ServiceState;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(TestBroker.class)
class ScoringEngineIT {
    @TempDir
    private Path data;

    private Deployment deployment;
    private final TestTraffic traffic = new TestTraffic(1);

    @BeforeEach
    void createTopics(EmbeddedKafka broker) {
        deployment = Deployment.on(broker.bootstrapServers());
    }

    @AfterEach
    void closeClients() {
        deployment.close();
    }

    @Test
    void shouldEmitByteForByteWhatTheCoreAloneMakesOfTheLog() {
        EngineConfig forgetful = TestConfigs.of(data).maxLiveEvents(100).build();
        deployment.send(traffic.next(20)); // before any policy: dead letters
        deployment.activate(TestPolicy.updating(1, 700));
        deployment.send(traffic.next(2_000));
        try (ScoringEngine engine = deployment.engine(data, forgetful)) {
            engine.start();
            deployment.awaitScored(engine);
            deployment.activate(TestPolicy.updating(2, 300));
            deployment.send(traffic.next(1_000));
            deployment.awaitScored(engine);
            assertThat(engine.status().policy()).isEqualTo("engine-test");
            assertThat(engine.status().policyVersion()).isEqualTo(2);
        }
        deployment.assertExact();
        List<Output> scored = deployment.outputs().stream()
                .filter(output -> output.topic().endsWith(".scored") && output.key() != null)
                .toList();
        assertThat(scored).anyMatch(Output::isCorrection);
        LogVerifier.Result verified = new LogVerifier(deployment.kafka(), 0, Long.MAX_VALUE, null).verify();
        assertThat(verified.mismatches()).as(verified.firstMismatch()).isZero();
        assertThat(verified.compared()).isEqualTo(scored.size());
        assertThat(verified.comparedSummaries())
                .isEqualTo(deployment
                        .records(deployment.kafka().topics().summaries())
                        .size())
                .isPositive();
    }

    @Test
    void shouldCountWhatBecameOfEveryRecordPerPartition() {
        deployment.activate(TestPolicy.text(1, 700));
        deployment.send(traffic.next(1_500));
        EngineStatus status;
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
            engine.close();
            status = engine.status();
        }
        assertThat(status.state()).isEqualTo(ServiceState.STOPPED);
        assertThat(status.counts().addUp()).isTrue();
        assertThat(status.counts().read()).isEqualTo(deployment.log().size());
        OfflineRun offline = deployment.offline();
        assertThat(status.partitions()).hasSize(Deployment.PARTITIONS);
        for (PartitionStatus partition : status.partitions()) {
            TaskState expected = offline.counts(partition.partition());
            assertThat(partition.counts())
                    .isEqualTo(new RecordCounts(
                            expected.read(),
                            expected.count(End.SCORED),
                            expected.count(End.CONTROL),
                            expected.count(End.REFERENCE),
                            expected.count(End.LABEL),
                            expected.count(End.DUPLICATE),
                            expected.count(End.LATE),
                            expected.count(End.DEAD_LETTERED)));
            assertThat(partition.alerts()).isEqualTo(expected.alerts());
            assertThat(List.of(
                            partition.counts().duplicate(),
                            partition.counts().late(),
                            partition.counts().label()))
                    .as("the traffic has some of each")
                    .doesNotContain(0L);
        }
    }

    @Test
    void shouldPutEveryOutputIntoThePartitionOfItsAccountUnderItsKey() {
        deployment.activate(TestPolicy.text(1, 700));
        deployment.send(traffic.next(500));
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
        }
        List<Output> keyed =
                deployment.outputs().stream().filter(o -> o.key() != null).toList();
        assertThat(keyed).hasSizeGreaterThan(400);
        for (Output output : keyed) {
            byte[] key = output.key().getBytes(StandardCharsets.UTF_8);
            assertThat(output.partition()).isEqualTo(Utils.toPositive(Utils.murmur2(key)) % Deployment.PARTITIONS);
        }
    }

    @Test
    void shouldSetLateAndBrokenRecordsAsideWithTheirBytesAndTheReason() {
        deployment.activate(TestPolicy.text(1, 700));
        List<EventEnvelope> events = traffic.next(400);
        deployment.send(events);
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
        }
        Map<String, EventEnvelope> byId = new HashMap<>();
        events.forEach(event -> byId.put(event.id(), event));
        List<Output> aside = deployment.outputs().stream()
                .filter(o -> o.topic().endsWith(".late") || o.topic().endsWith(".dead-letters"))
                .toList();
        assertThat(aside).isNotEmpty();
        for (Output output : aside) {
            EventEnvelope original = byId.get(output.header(EventEnvelope.ID_HEADER));
            assertThat(output.value()).isEqualTo(new String(original.data(), StandardCharsets.ISO_8859_1));
            assertThat(output.key()).isEqualTo(original.subject());
            assertThat(output.header(DeadLetter.POSITION_HEADER)).startsWith(deployment.topicId() + ":");
        }
        assertThat(aside.stream().map(output -> output.header(DeadLetter.REASON_HEADER)))
                .contains(null, "bad_amount", "malformed_json", "unknown_event_type");
    }

    @Test
    void shouldRepeatNothingAfterACleanRestart() {
        deployment.activate(TestPolicy.text(1, 700));
        for (int run = 0; run < 3; run++) {
            deployment.send(traffic.next(400));
            try (ScoringEngine engine = deployment.engine(data)) {
                engine.start();
                deployment.awaitScored(engine);
                deployment.send(traffic.next(400)); // closed in the midst of these
            }
        }
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
        }
        deployment.assertExact();
    }

    @Test
    void shouldEmitWhatComesOfTheLargestRecordsThatTheLogTakes() {
        deployment.activate(TestPolicy.text(1, 700));
        String large = new java.util.Random(1)
                .ints(1_000_000, 'a', 'z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        deployment.send(List.of(
                payment("too-large", "{\"amount\": 1, \"merchant\": \"" + large + "\"}"),
                payment("with-more", "{\"amount\": 1, \"something\": \"" + large + "\"}")));
        deployment.send(traffic.next(50));
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
        }
        deployment.assertExact();
        assertThat(deployment.outputs()).anySatisfy(output -> {
            assertThat(output.header(EventEnvelope.ID_HEADER)).isEqualTo("too-large");
            assertThat(output.header(DeadLetter.REASON_HEADER)).isEqualTo("too_large");
        });
    }

    /** One record fires a few timers; where no other follows, ticks fire the others, and are in the log. */
    @Test
    void shouldTellTheResultsThatWaitOnAnIdlePartition() {
        int accounts = 40;
        deployment.activate(TestPolicy.text(1, 700));
        for (int i = 0; i < accounts; i++) {
            deployment.send(List.of(payment("e" + i, "a-" + i, "2026-03-01T00:00:00Z", "{\"amount\": 5}")));
        }
        for (int partition = 0; partition < Deployment.PARTITIONS; partition++) {
            deployment.send(List.of(
                    payment("jump" + partition, accountIn(partition), "2026-03-01T20:00:00Z", "{\"amount\": 5}")));
        }
        EngineConfig quick =
                TestConfigs.of(data).idleAfter(Duration.ofMillis(300)).build();
        try (ScoringEngine engine = deployment.engine(data, quick)) {
            engine.start();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> deployment.outputs().stream()
                                    .filter(output -> output.topic().endsWith(".summaries"))
                                    .count()
                            == accounts);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(engine.status().counts().read())
                            .isEqualTo(deployment.log().size()));
        }
        assertThat(deployment.log().size()).isGreaterThan(accounts + 2 * Deployment.PARTITIONS);
        deployment.assertExact();
    }

    private static String accountIn(int partition) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "jump-" + i)
                .filter(account -> Utils.toPositive(Utils.murmur2(account.getBytes(StandardCharsets.UTF_8)))
                                % Deployment.PARTITIONS
                        == partition)
                .findFirst()
                .orElseThrow();
    }

    private static EventEnvelope payment(String id, String data) {
        return payment(id, "a-1", "2026-03-01T00:00:00Z", data);
    }

    private static EventEnvelope payment(String id, String account, String time, String data) {
        return new EventEnvelope(
                id,
                "/test",
                "transaction",
                EventTimes.parse(time),
                account,
                false,
                data.getBytes(StandardCharsets.UTF_8));
    }
}
