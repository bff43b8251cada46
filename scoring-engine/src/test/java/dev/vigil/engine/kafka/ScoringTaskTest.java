package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.engine.EngineConfig;
import dev.vigil.engine.TaskStores;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.TopicNames;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.service.LatencyRecorder;
import dev.vigil.service.kafka.EventRecords;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a step is written, with a broker that acknowledges when the test says so. */
class ScoringTaskTest {
    private static final TopicNames TOPICS = new TopicNames("test");
    private static final long NOW_MS = 800_001;

    @TempDir
    private Path data;

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final TestTraffic traffic = new TestTraffic(8);
    private final LatencyRecorder latency = new LatencyRecorder(() -> NOW_MS);
    private final LongAdder decisions = new LongAdder();
    private TaskStores stores;
    private ScoringTask task;
    private long nextOffset;

    @BeforeEach
    void openTask() {
        stores = new TaskStores(data.resolve("state"), EngineConfig.defaults(data));
        task = new ScoringTask(0, "topic", stores, 1_000, null, sender(), 1);
    }

    private OutputSender sender() {
        return new OutputSender(producer, TOPICS, () -> NOW_MS, latency, decisions, new OutputFlusher(producer), true);
    }

    @AfterEach
    void closeTask() {
        task.close();
        stores.close();
    }

    /** One step of ten records, each of which ends with an output: there is no policy yet. */
    private void step() {
        task.process(
                traffic.next(10).stream()
                        .map(event -> record(EventRecords.keyed("test.events", event)))
                        .toList(),
                1);
    }

    private ConsumerRecord<byte[], byte[]> record(ProducerRecord<byte[], byte[]> sent) {
        return new ConsumerRecord<>(
                sent.topic(),
                0,
                nextOffset++,
                1,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                sent.key(),
                sent.value(),
                new RecordHeaders(sent.headers()),
                java.util.Optional.empty());
    }

    private void acknowledgeAll() {
        boolean more;
        do {
            more = producer.completeNext();
        } while (more);
    }

    private long writtenOffset() {
        task.close();
        try (RocksDbStateStore store = stores.open(0, stores.checkpoints(0))) {
            return TaskState.load(store).nextOffset();
        }
    }

    @Test
    void shouldWriteOnlyStepsThatAreAcknowledged() {
        step();
        acknowledgeAll();
        step();
        task.writeAcknowledged();
        assertThat(task.isWaiting()).isTrue();
        assertThat(writtenOffset()).isEqualTo(10);
    }

    /** An engine without its state scores months again: that is not slow. One that is behind from then on is. */
    @Test
    void shouldMeasureHowLongOnlyThoseWaitedThatCameSinceItTookThePartitionUp() {
        task.close();
        Policy policy =
                Policies.check("p.yaml", "policy: p\nversion: 1\ncurrency: EUR\nevents: {login: {fields: {}}}\n");
        task = new ScoringTask(1, "topic", stores, 1_000, policy, sender(), 1);
        task.catchUpTo(20);
        logins(20);
        assertThat(latency.total().count()).isZero();
        assertThat(decisions.sum()).isEqualTo(20);

        logins(5);

        assertThat(latency.recent().count()).isEqualTo(5);
        assertThat(latency.recent().maxMs()).isGreaterThanOrEqualTo(800_000);
        assertThat(decisions.sum()).isEqualTo(25);
    }

    private void logins(int count) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EventEnvelope login = new EventEnvelope(
                    "l-" + nextOffset,
                    "/test",
                    "login",
                    EventTimes.fromEpochMs(nextOffset),
                    "a-1",
                    false,
                    "{}".getBytes(StandardCharsets.UTF_8));
            records.add(record(EventRecords.keyed("test.events", login)));
        }
        task.process(records, 1);
    }

    @Test
    void shouldWriteNothingOnceItIsClosed() {
        step();
        task.writeAcknowledged();
        task.close();
        acknowledgeAll();
        task.writeAcknowledged();
        assertThat(task.isWaiting()).isFalse();
        assertThat(writtenOffset()).isZero();
    }
}
