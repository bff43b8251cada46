package dev.vigil.dashboard.kafka;

import static dev.vigil.dashboard.Patience.await;
import static dev.vigil.dashboard.kafka.IntakeHarness.attributes;
import static dev.vigil.dashboard.kafka.IntakeHarness.bytes;
import static dev.vigil.dashboard.kafka.IntakeHarness.header;
import static dev.vigil.dashboard.kafka.IntakeHarness.ids;
import static dev.vigil.dashboard.kafka.IntakeHarness.login;
import static dev.vigil.dashboard.kafka.IntakeHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.dashboard.deadletter.LetterFilter;
import dev.vigil.dashboard.deadletter.LetterSummary;
import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.FakePolicies;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import dev.vigil.service.kafka.KafkaClients;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Foreign records on a real broker, on their way into the log or to the dead letters. */
final class KafkaIntakeIT {
    @TempDir
    static Path directory;

    private static EmbeddedKafka broker;

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
    void closeProducer() {
        at.close();
    }

    private void awaitAll(KafkaIntake intake, long accepted, long deadLettered) {
        await().untilAsserted(() -> {
            assertThat(intake.status().accepted()).isEqualTo(accepted);
            assertThat(intake.status().deadLettered()).isEqualTo(deadLettered);
        });
    }

    @Test
    void shouldTakeEveryModeIntoTheLogKeyedByAccount() {
        at.send(0, "k1", bytes("{\"device\":\"d1\"}"), attributes("binary", "acc-1"));
        at.send(1, null, bytes("""
                {"specversion":"1.0","id":"structured","source":"/shop","type":"login","subject":"acc-1",
                 "time":"2026-11-30T06:55:24.25Z","data":{"device":"d1"}}"""), "content-type", "application/cloudevents+json");
        at.send(1, "acc-2", bytes("""
                [{"specversion":"1.0","id":"batch-1","source":"/shop","type":"login","subject":"acc-1",
                  "time":"2026-11-30T06:55:24.25Z","data":{"device":"d1"}},
                 {"specversion":"1.0","id":"batch-2","source":"/shop","type":"login","subject":"acc-2",
                  "time":"2026-11-30T06:55:24.25Z","data":{"device":"d1"}}]"""), "content-type", "application/cloudevents-batch+json");
        at.sendLogin(0, "plain", "acc-1");
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 5, 0);
            await().until(() -> Long.valueOf(0).equals(intake.status().lag()));
            assertThat(intake.status().partitions()).isEqualTo(2);
            assertThat(intake.status().lastEventTimeUs()).isEqualTo(1_796_021_724_250_000L);
        }
        List<ConsumerRecord<byte[], byte[]>> log = at.log();
        assertThat(ids(log)).containsExactlyInAnyOrder("binary", "structured", "batch-1", "batch-2", "plain");
        for (ConsumerRecord<byte[], byte[]> record : log) {
            assertThat(text(record.key())).isEqualTo(header(record, EventEnvelope.SUBJECT_HEADER));
            assertThat(header(record, EventEnvelope.TIME_HEADER)).isEqualTo("2026-11-30T06:55:24.250Z");
            assertThat(text(record.value())).contains("\"device\":\"d1\"");
        }
        assertThat(log.stream()
                        .filter(record -> text(record.key()).equals("acc-1"))
                        .map(ConsumerRecord::partition)
                        .distinct())
                .as("one account is in one partition, whatever partition and key it came in")
                .hasSize(1);
        assertThat(at.committed().values())
                .extracting(OffsetAndMetadata::offset)
                .containsExactlyInAnyOrder(2L, 2L);
    }

    /** Field case B01. */
    @Test
    void shouldSetPoisonPillsAsideWithReasonAndOriginalBytesAndGoOn() {
        List<byte[]> pills = List.of(
                new byte[] {(byte) 0xff, (byte) 0xff},
                bytes("{\"amount\":"),
                bytes(login("x", "acc-1").replace("\"d1\"", "17")),
                new byte[0],
                new byte[] {0, 0, 0, 0, 1, 2, 3},
                new byte[] {0, 0, 0, 0, 7, 1, 2, 3},
                bytes(login("x", "acc-1").replace("login", "logout")));
        at.sendLogin(0, "first", "acc-1");
        pills.forEach(pill -> at.send(0, "poison", pill, "mine", "h", "vigil-stage", "forged"));
        at.sendLogin(0, "last", "acc-1");
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 2, pills.size());
        }
        assertThat(ids(at.log())).containsExactly("first", "last");
        List<ConsumerRecord<byte[], byte[]>> letters = at.letters();
        assertThat(letters).extracting(ConsumerRecord::value).containsExactlyElementsOf(pills);
        assertThat(letters)
                .extracting(letter -> header(letter, DeadLetter.REASON_HEADER))
                .containsExactly(
                        "malformed_json",
                        "malformed_json",
                        "bad_field",
                        "malformed_json",
                        "unknown_schema",
                        "unknown_schema",
                        "unknown_event_type");
        for (int i = 0; i < pills.size(); i++) {
            ConsumerRecord<byte[], byte[]> letter = letters.get(i);
            assertThat(text(letter.key())).isEqualTo("poison");
            assertThat(header(letter, "mine")).isEqualTo("h");
            assertThat(letter.headers().headers("vigil-stage")).hasSize(1);
            assertThat(header(letter, DeadLetter.STAGE_HEADER)).isEqualTo("intake");
            assertThat(header(letter, DeadLetter.ORIGIN_HEADER))
                    .isEqualTo(at.kafka.topics().intake() + ":0:" + (i + 1));
        }
    }

    @Test
    void shouldStoreNoCardNumberAndSayThatAMaskedRecordCannotBePutBack() {
        String card = "4111 1111 1111 1111";
        at.send(0, card, bytes(login("e1", "acc-1").replace("\"d1\"", "\"" + card + "\"")), "note", card);
        at.send(0, null, bytes("{\"id\":\"" + card));
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 0, 2);
        }
        assertThat(at.log()).isEmpty();
        for (ConsumerRecord<byte[], byte[]> letter : at.letters()) {
            String all = text(letter.value()) + (letter.key() == null ? "" : text(letter.key())) + letter.headers();
            assertThat(all).doesNotContain(card).doesNotContain("4111111111111111");
            for (var header : letter.headers()) {
                assertThat(text(header.value())).doesNotContain(card);
            }
            assertThat(header(letter, DeadLetter.MASKED_HEADER)).isEqualTo("true");
        }
        assertThat(letterSummaries())
                .extracting(LetterSummary::notRetryable)
                .allMatch(why -> why != null && why.startsWith("stars stand in it"));
    }

    private List<LetterSummary> letterSummaries() {
        return new KafkaDeadLetters(at.kafka).list(LetterFilter.ALL, 100, null).letters();
    }

    @Test
    void shouldTakeARecordThatWasPutBackOnceThePolicyKnowsIt() {
        at.send(1, "k", bytes(login("early", "acc-1").replace("login", "transfer")), "mine", "h");
        ActivePolicy policy = IntakeHarness.policy(IntakeHarness.POLICY);
        try (KafkaIntake intake = at.intake("{}", policy, Map.of())) {
            awaitAll(intake, 0, 1);
            policy.activated("transfer: device\nplain: id time account type");
            TreeSet<dev.vigil.dashboard.deadletter.LetterPosition> positions = new TreeSet<>();
            letterSummaries().forEach(letter -> positions.add(letter.position()));
            assertThat(new KafkaDeadLetters(at.kafka).retry(positions))
                    .extracting(outcome -> String.valueOf(outcome.into()))
                    .containsExactly(at.kafka.topics().intake() + ":1:1");
            awaitAll(intake, 1, 1);
        }
        assertThat(ids(at.log())).containsExactly("early");
        List<ConsumerRecord<byte[], byte[]>> intake = at.read(at.kafka.topics().intake());
        assertThat(intake.get(1).value()).isEqualTo(intake.get(0).value());
        assertThat(intake.get(1).headers()).isEqualTo(intake.get(0).headers());
        assertThat(letterSummaries()).allMatch(letter -> letter.retried() != null);
    }

    @Test
    void shouldWaitForAPolicyAndRefuseNothingMeanwhile() {
        at.sendLogin(0, "e1", "acc-1");
        ActivePolicy policy = new ActivePolicy(FakePolicies.none());
        try (KafkaIntake intake = at.intake("{}", policy, Map.of())) {
            await().until(() ->
                    intake.status().partitions() == 2 && intake.status().problem() != null);
            policy.readToEnd();
            assertThat(intake.status().problem()).isEqualTo("no policy is active yet");
            assertThat(at.letters()).isEmpty();
            assertThat(at.log()).isEmpty();
            policy.activated(IntakeHarness.POLICY);
            awaitAll(intake, 1, 0);
            await().until(() -> intake.status().problem() == null);
        }
        assertThat(at.letters()).isEmpty();
    }

    /** Field case A22. */
    @Test
    void shouldSkipAndCountTombstones() {
        at.send(0, "gone", null);
        at.sendLogin(0, "e1", "acc-1");
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 1, 0);
            assertThat(intake.status().skipped()).isEqualTo(1);
        }
    }

    @Test
    void shouldReadWhatForeignTransactionsCommittedAndNothingElse() {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "foreign-tx"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            for (String id : List.of("committed-1", "aborted", "committed-2")) {
                producer.beginTransaction();
                var unused = producer.send(
                        new ProducerRecord<>(at.kafka.topics().intake(), 0, bytes("k"), bytes(login(id, "acc-1"))));
                if (id.equals("aborted")) {
                    producer.flush();
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 2, 0);
            await().until(() -> Long.valueOf(0).equals(intake.status().lag()));
        }
        assertThat(ids(at.log())).containsExactly("committed-1", "committed-2");
    }

    /** Field case B14. */
    @Test
    void shouldSayThatATransactionWhichNobodyEndsHoldsItUp() {
        try (KafkaProducer<byte[], byte[]> hanging = new KafkaProducer<>(
                        Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "hanging-tx"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                KafkaIntake intake = at.intake()) {
            hanging.initTransactions();
            hanging.beginTransaction();
            var unused = hanging.send(
                    new ProducerRecord<>(at.kafka.topics().intake(), 0, bytes("k"), bytes(login("open", "acc-1"))));
            hanging.flush();
            at.sendLogin(0, "behind", "acc-1");
            at.sendLogin(1, "beside", "acc-1");
            awaitAll(intake, 1, 0);
            String reason = at.kafka.topics().intake()
                    + "-0: up to 2 records wait behind a transaction that its producer has not ended, from offset 0 on";
            await().until(() -> reason.equals(intake.status().problem()));
            hanging.abortTransaction();
            awaitAll(intake, 2, 0);
            await().until(() -> intake.status().problem() == null);
        }
        assertThat(ids(at.log())).containsExactlyInAnyOrder("beside", "behind");
    }

    /** Written by others, in whatever partitions they like. */
    @Test
    void shouldReadATopicOfOtherPartitionsThanTheLog() throws Exception {
        try (IntakeHarness other = new IntakeHarness(broker.bootstrapServers(), "other-log", "foreign.payments", 5);
                KafkaIntake intake = other.intake()) {
            for (int partition = 0; partition < 5; partition++) {
                other.sendLogin(partition, "e" + partition, "acc-" + partition % 2);
            }
            awaitAll(intake, 5, 0);
            assertThat(intake.status().partitions()).isEqualTo(5);
            assertThat(other.log()).hasSize(5);
        }
    }

    @Test
    void shouldSetAsideARecordThatItCannotReadForAFaultOfItsOwn() {
        at.sendLogin(0, "e1", "acc-1");
        at.sendLogin(0, "fault", "acc-1");
        at.sendLogin(0, "e2", "acc-1");
        try (KafkaIntake intake = at.intake("{}", IntakeHarness.policyWithAFault("fault"), Map.of())) {
            awaitAll(intake, 2, 1);
        }
        assertThat(ids(at.log())).containsExactly("e1", "e2");
        assertThat(header(at.letters().get(0), DeadLetter.DETAIL_HEADER))
                .isEqualTo("reading it failed: IllegalStateException");
    }

    @Test
    void shouldTellItsFiguresAsMetrics() {
        at.sendLogin(0, "e1", "acc-1");
        at.send(0, "k", bytes("nonsense"));
        at.send(1, "k", null);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (KafkaIntake intake = at.intake(meters)) {
            awaitAll(intake, 1, 1);
            await().until(() -> meters.get("vigil.intake.kafka.lag").gauge().value() == 0);
            for (String outcome : List.of("accepted", "dead_lettered", "skipped")) {
                assertThat(meters.get("vigil.intake.kafka.records")
                                .tag("outcome", outcome)
                                .counter()
                                .count())
                        .isEqualTo(1);
            }
            assertThat(meters.get("vigil.intake.kafka.waiting").gauge().value()).isZero();
        }
    }

    /** A letter that the topic of letters does not take says at least that there was a record. */
    @Test
    void shouldGoOnBehindARecordThatIsTooLargeForTheDeadLetters() throws Exception {
        limit(at.kafka.topics().deadLetters());
        at.send(0, "k", bytes(large()));
        at.sendLogin(0, "after", "acc-1");
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 1, 1);
        }
        ConsumerRecord<byte[], byte[]> letter = at.letters().get(0);
        assertThat(letter.value()).isNull();
        assertThat(header(letter, DeadLetter.REASON_HEADER)).isEqualTo("too_large");
        assertThat(header(letter, DeadLetter.ORIGIN_HEADER)).endsWith(":0:0");
        assertThat(letterSummaries()).allMatch(summary -> summary.notRetryable() != null);
    }

    private void limit(String topic) throws Exception {
        try (var admin = KafkaClients.admin(at.kafka, "test")) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, topic),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("max.message.bytes", "2000"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
    }

    /** Of more than the limit, also when compressed. */
    private static String large() {
        Random random = new Random(7);
        StringBuilder large = new StringBuilder();
        for (int i = 0; i < 6_000; i++) {
            large.append((char) ('a' + random.nextInt(26)));
        }
        return large.toString();
    }

    @Test
    void shouldGoOnWhereItStopped() {
        at.sendLogin(0, "e1", "acc-1");
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 1, 0);
        }
        at.sendLogin(0, "e2", "acc-1");
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 1, 0);
        }
        assertThat(ids(at.log())).containsExactly("e1", "e2");
    }

    /** Field case B04. */
    @Test
    void shouldGoOnAtTheFirstRecordThatIsThereAndCountWhatIsGone() throws Exception {
        for (int i = 0; i < 3; i++) {
            at.sendLogin(0, "read-" + i, "acc-1");
        }
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 3, 0);
        }
        for (int i = 3; i < 10; i++) {
            at.sendLogin(0, "new-" + i, "acc-1");
        }
        TopicPartition partition = new TopicPartition(at.kafka.topics().intake(), 0);
        try (var admin = KafkaClients.admin(at.kafka, "test")) {
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(5)))
                    .all()
                    .get();
        }
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 5, 0);
            assertThat(intake.status().missed()).isEqualTo(2);
        }
        assertThat(ids(at.log()))
                .containsExactly("read-0", "read-1", "read-2", "new-5", "new-6", "new-7", "new-8", "new-9");
    }

    /** Field case B16. */
    @Test
    void shouldSetAsideWhatTheLogDoesNotTakeForItsSize() throws Exception {
        limit(at.kafka.topics().events());
        String large = large();
        at.sendLogin(0, "before", "acc-1");
        at.send(0, "k", bytes(login("large", "acc-1").replace("\"d1\"", "\"" + large + "\"")));
        at.sendLogin(0, "after", "acc-1");
        try (KafkaIntake intake =
                at.intake("{kafka: {max-records: 1}}", IntakeHarness.policy(IntakeHarness.POLICY), Map.of())) {
            awaitAll(intake, 2, 1);
            assertThat(intake.status().problem()).isNull();
        }
        assertThat(ids(at.log())).containsExactly("before", "after");
        assertThat(at.letters())
                .extracting(letter -> header(letter, DeadLetter.REASON_HEADER))
                .containsExactly("too_large");
        assertThat(text(at.letters().get(0).value())).contains(large);
    }

    @Test
    void shouldKeepTheOrderOfAnAccountsRecordsWithinAPartition() {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            String id = "e" + i;
            sent.add(id);
            var unused = at.foreign.send(
                    new ProducerRecord<>(at.kafka.topics().intake(), 0, null, bytes(login(id, "acc-" + i % 7))));
        }
        try (KafkaIntake intake = at.intake()) {
            awaitAll(intake, 2_000, 0);
        }
        List<ConsumerRecord<byte[], byte[]>> log = at.log();
        for (int account = 0; account < 7; account++) {
            String key = "acc-" + account;
            int remainder = account;
            assertThat(ids(log.stream()
                            .filter(record -> text(record.key()).equals(key))
                            .toList()))
                    .isEqualTo(sent.stream()
                            .filter(id -> Integer.parseInt(id.substring(1)) % 7 == remainder)
                            .toList());
        }
    }
}
