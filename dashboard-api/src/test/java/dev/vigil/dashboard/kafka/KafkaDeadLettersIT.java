package dev.vigil.dashboard.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.dashboard.deadletter.DeadLetters;
import dev.vigil.dashboard.deadletter.DeadLettersContract;
import dev.vigil.dashboard.deadletter.InMemoryDeadLetters.PutBack;
import dev.vigil.dashboard.deadletter.LetterFilter;
import dev.vigil.dashboard.deadletter.LetterHeader;
import dev.vigil.dashboard.deadletter.LetterPage;
import dev.vigil.dashboard.deadletter.LetterPosition;
import dev.vigil.dashboard.deadletter.Letters;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.TopicNames;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

final class KafkaDeadLettersIT extends DeadLettersContract {
    @TempDir
    static Path directory;

    private static EmbeddedKafka broker;

    private KafkaConfig kafka;
    private KafkaProducer<byte[], byte[]> producer;

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
        kafka = config(
                broker.bootstrapServers(), test.getTestMethod().orElseThrow().getName());
        KafkaTopics.ensure(kafka);
        producer = KafkaClients.producer(kafka, "test", Map.of());
    }

    private static KafkaConfig config(String bootstrapServers, String prefix) {
        return new KafkaConfig(
                bootstrapServers, new TopicNames(prefix), 2, (short) 1, (short) 1, Duration.ofDays(10_000), Map.of());
    }

    @AfterEach
    void closeProducer() {
        producer.close();
    }

    @Override
    protected DeadLetters letters() {
        return new KafkaDeadLetters(kafka);
    }

    @Override
    protected LetterPosition add(
            int partition, long atMs, byte @Nullable [] key, byte @Nullable [] value, List<LetterHeader> headers) {
        List<Header> kafkaHeaders = new ArrayList<>();
        headers.forEach(header -> kafkaHeaders.add(new RecordHeader(header.name(), header.value())));
        try {
            RecordMetadata at = producer.send(new ProducerRecord<>(
                            kafka.topics().deadLetters(), partition, atMs, key, value, kafkaHeaders))
                    .get();
            return new LetterPosition(at.partition(), at.offset());
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected List<PutBack> putBack() {
        List<PutBack> records = new ArrayList<>();
        try (BoundedReader reader = new BoundedReader(kafka, "test", Duration.ofSeconds(20))) {
            for (String topic : List.of(kafka.topics().events(), kafka.topics().intake())) {
                List<TopicPartition> partitions = reader.partitions(topic);
                Map<TopicPartition, Long> ends = reader.ends(partitions);
                for (TopicPartition partition : partitions) {
                    reader.read(
                            partition,
                            0,
                            ends.get(partition),
                            record -> records.add(new PutBack(
                                    topic,
                                    record.partition(),
                                    record.key(),
                                    record.value(),
                                    Arrays.stream(record.headers().toArray())
                                            .map(header -> new LetterHeader(header.key(), header.value()))
                                            .toList())));
                }
            }
        }
        return records;
    }

    @Override
    protected String intakeTopic() {
        return kafka.topics().intake();
    }

    @Test
    void shouldLookAtABoundedNumberOfRecordsForAPageAndGoOnFromThere() throws Exception {
        List<LetterHeader> other = Letters.of(Reason.NO_POLICY, "scoring-engine");
        LetterPosition wanted = add(0, START_MS, null, null, Letters.of(Reason.BAD_POLICY, "scoring-engine"));
        List<Header> headers = new ArrayList<>();
        other.forEach(header -> headers.add(new RecordHeader(header.name(), header.value())));
        for (int i = 0; i < 30_000; i++) {
            var unused = producer.send(
                    new ProducerRecord<>(kafka.topics().deadLetters(), 0, START_MS + i, null, null, headers));
        }
        producer.flush();
        LetterFilter filter = new LetterFilter("bad_policy", null, Long.MIN_VALUE, Long.MAX_VALUE);

        LetterPage first = letters().list(filter, 10, null);
        assertThat(first.letters()).isEmpty();
        assertThat(first.next()).isNotNull();
        LetterPage second = letters().list(filter, 10, first.next());
        assertThat(second.letters()).extracting(letter -> letter.position()).containsExactly(wanted);
        assertThat(second.next()).isNull();
    }

    /** Whoever counts or copies dead letters finds nothing else among them. */
    @Test
    void shouldLeaveTheTopicOfLettersAsItIs() {
        LetterPosition position =
                add(1, START_MS, null, null, Letters.ofEngine(Reason.BAD_FIELD, "expected a number", 1, 4));
        letters().retry(new java.util.TreeSet<>(List.of(position)));
        try (BoundedReader reader = new BoundedReader(kafka, "test", Duration.ofSeconds(20))) {
            assertThat(reader.ends(reader.partitions(kafka.topics().deadLetters()))
                            .values())
                    .containsExactlyInAnyOrder(0L, position.offset() + 1);
        }
    }

    @Test
    void shouldPassOverLettersThatRetentionTookAway() throws Exception {
        for (int i = 0; i < 5; i++) {
            add(0, START_MS + i, null, null, Letters.ofEngine(Reason.BAD_FIELD, "expected a number", 0, i));
        }
        try (var admin = KafkaClients.admin(kafka, "test")) {
            admin.deleteRecords(Map.of(
                            new TopicPartition(kafka.topics().deadLetters(), 0),
                            org.apache.kafka.clients.admin.RecordsToDelete.beforeOffset(3)))
                    .all()
                    .get();
        }
        Set<Long> offsets = new HashSet<>();
        letters().list(LetterFilter.ALL, 10, null).letters().forEach(letter -> offsets.add(letter.offset()));
        assertThat(offsets).containsExactlyInAnyOrder(3L, 4L);
        assertThat(letters().find(new LetterPosition(0, 1))).isEmpty();
        assertThat(letters()
                        .retry(new java.util.TreeSet<>(List.of(new LetterPosition(0, 1))))
                        .get(0)
                        .into())
                .isNull();
    }

    @Test
    void shouldSayThatThereIsNoTopicYet() {
        KafkaConfig fresh = config(broker.bootstrapServers(), "nobody.started");
        assertThatThrownBy(() -> new KafkaDeadLetters(fresh).list(LetterFilter.ALL, 1, null))
                .isInstanceOf(ServiceException.class)
                .hasMessage("there is no topic nobody.started.dead-letters at " + broker.bootstrapServers()
                        + ": no service of this configuration has started there yet");
    }

    @Test
    void shouldGiveUpSoonOnABrokerThatDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            assertThatThrownBy(() -> new KafkaDeadLetters(config(address, "vigil")).list(LetterFilter.ALL, 1, null))
                    .isInstanceOf(ServiceException.class)
                    .hasMessage("no answer from Kafka at " + address + " within 8 s");
        }
    }
}
