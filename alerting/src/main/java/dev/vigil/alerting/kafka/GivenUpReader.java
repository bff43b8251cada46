package dev.vigil.alerting.kafka;

import dev.vigil.alerting.endpoints.GivenUpDeliveries;
import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topic of reports for deliveries that were given up, and the topic of alerts for their alerts; each question from the time
 * that it names to the end that the topic has when it begins. A report stands after the attempt that it is about, and an alert after its
 * event, but clocks differ: a few minutes more are read.
 */
public final class GivenUpReader implements GivenUpDeliveries {
    private static final Logger log = LoggerFactory.getLogger(GivenUpReader.class);
    private static final String CLIENT = "vigil-alerting-given-up";
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int BATCH = 500;
    private static final long CLOCKS_DIFFER_MS = 5 * 60_000;

    private final KafkaConfig kafka;

    public GivenUpReader(KafkaConfig kafka) {
        this.kafka = kafka;
    }

    private record Key(String alertId, @Nullable String endpoint) {}

    @Override
    public List<Delivery> find(@Nullable String endpoint, long fromMs, long toMs) {
        Map<Key, Delivery> found = new HashMap<>();
        read(kafka.topics().deliveries(), fromMs, record -> {
            Delivery delivery = decode(record, Delivery.class);
            if (delivery == null
                    || delivery.endpoint() == null
                    || endpoint != null && !endpoint.equals(delivery.endpoint())) {
                return true;
            }
            Key key = new Key(delivery.alertId(), delivery.endpoint());
            if (delivery.outcome() == Delivery.Outcome.GIVEN_UP
                    && delivery.attemptedAtMs() >= fromMs
                    && delivery.attemptedAtMs() < toMs) {
                found.put(key, delivery);
            } else if (delivery.outcome() != Delivery.Outcome.FAILED) {
                // Reports of an alert are in one partition: this one is later.
                found.remove(key);
            }
            if (found.size() > MAX) {
                throw new EndpointRefusedException(
                        Kind.INVALID,
                        "more than " + MAX + " deliveries were given up in that time; name a shorter one");
            }
            return true;
        });
        return List.copyOf(found.values());
    }

    @Override
    public void alerts(Set<String> alertIds, long sinceMs, Consumer<List<TopicAlert>> each) {
        Set<String> wanted = new HashSet<>(alertIds);
        List<TopicAlert> some = new ArrayList<>();
        read(kafka.topics().alerts(), sinceMs, record -> {
            Alert alert = decode(record, Alert.class);
            if (alert != null && wanted.remove(alert.alertId())) {
                some.add(new TopicAlert(alert, record.value()));
                if (some.size() == BATCH) {
                    each.accept(List.copyOf(some));
                    some.clear();
                }
            }
            return !wanted.isEmpty();
        });
        if (!some.isEmpty()) {
            each.accept(List.copyOf(some));
        }
    }

    /** Takes one record. */
    private interface Reader {
        /** @return whether to go on */
        boolean read(ConsumerRecord<byte[], byte[]> record);
    }

    private void read(String topic, long fromMs, Reader reader) {
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, CLIENT, Map.of())) {
            List<TopicPartition> partitions = IntStream.range(0, kafka.partitions())
                    .mapToObj(partition -> new TopicPartition(topic, partition))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            seek(consumer, partitions, ends, Math.max(0, fromMs - CLOCKS_DIFFER_MS));
            long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (!reader.read(record)) {
                        return;
                    }
                }
                if (System.nanoTime() > deadlineNs) {
                    throw new EndpointRefusedException(
                            Kind.BUSY,
                            "reading " + topic + " since then takes longer than " + PATIENCE.toSeconds()
                                    + " s; name a later time, or ask again");
                }
            }
        } catch (KafkaException e) {
            log.warn("topic {}: cannot be read: {}", topic, e.getMessage());
            throw new EndpointRefusedException(Kind.UNAVAILABLE, "the broker did not answer in time; ask again");
        }
    }

    private static void seek(
            KafkaConsumer<byte[], byte[]> consumer,
            List<TopicPartition> partitions,
            Map<TopicPartition, Long> ends,
            long fromMs) {
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(partition -> times.put(partition, fromMs));
        Map<TopicPartition, OffsetAndTimestamp> starts = consumer.offsetsForTimes(times);
        for (TopicPartition partition : partitions) {
            OffsetAndTimestamp start = starts.get(partition);
            consumer.seek(partition, start == null ? Offsets.of(partition, ends) : start.offset());
        }
    }

    private static <T> @Nullable T decode(ConsumerRecord<byte[], byte[]> record, Class<T> type) {
        try {
            return Json.decode(record.value(), type);
        } catch (UncheckedIOException e) {
            // Whoever reads the topic for its own sake complains of it.
            log.debug("{}-{} at offset {}: passed over", record.topic(), record.partition(), record.offset());
            return null;
        }
    }
}
