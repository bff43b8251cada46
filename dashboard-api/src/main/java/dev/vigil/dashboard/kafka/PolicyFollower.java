package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Reads the activations of policies out of the log, from its start and as they come, on a thread of its own. One partition
 * is enough: an activation is told to it after all others. Goes on where it was when the broker comes back.
 */
public final class PolicyFollower implements AutoCloseable {
    /** Told last of an activation. */
    private static final int SPEAKER = 0;

    private static final Duration POLL = Duration.ofMillis(500);
    private static final long BEGINNING = -1;

    private final TopicPartition partition;
    private final ActivePolicy policy;
    private final ReadLoop loop;
    private long nextOffset = BEGINNING;

    public PolicyFollower(KafkaConfig config, ActivePolicy policy) {
        this.partition = new TopicPartition(config.topics().events(), SPEAKER);
        this.policy = policy;
        this.loop = new ReadLoop(
                config,
                "vigil-dashboard-policy",
                "dashboard-policy",
                Map.of(
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        10_000,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        8 << 20),
                this::follow);
    }

    public void start() {
        loop.start();
    }

    private void follow(KafkaConsumer<byte[], byte[]> consumer) {
        consumer.assign(List.of(partition));
        if (nextOffset == BEGINNING) {
            consumer.seekToBeginning(List.of(partition));
        } else {
            consumer.seek(partition, nextOffset);
        }
        long end = Offsets.end(consumer, partition);
        while (!loop.isClosed()) {
            try {
                nextOffset = consumer.position(partition);
                if (nextOffset >= end) {
                    policy.readToEnd();
                }
                consumer.poll(POLL).forEach(this::read);
            } catch (OffsetOutOfRangeException e) {
                // What retention took away meanwhile may have held an activation; so may what is left.
                consumer.seekToBeginning(List.of(partition));
            }
        }
    }

    private void read(ConsumerRecord<byte[], byte[]> record) {
        Header type = record.headers().lastHeader(EventEnvelope.TYPE_HEADER);
        if (type == null || !EventTypes.POLICY.equals(new String(type.value(), StandardCharsets.UTF_8))) {
            return;
        }
        byte[] value = record.value();
        if (value != null && textOf(value) instanceof String text) {
            policy.activated(text);
        }
    }

    /** Null where there is none, which the engine refuses. */
    private static @Nullable Object textOf(byte[] value) {
        try {
            return Json.decodeObject(value).get("policy");
        } catch (UncheckedIOException e) {
            return null;
        }
    }

    /** Idempotent. */
    @Override
    public void close() {
        loop.close();
    }
}
