package dev.vigil.engine.kafka;

import dev.vigil.event.Json;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What was activated in the log, in a compacted topic of its own: the log is long and forgets, and nobody should have to read
 * it through to learn which policy is active. Scoring does not look at it; the activations in the log decide.
 *
 * <p>Record key: id of the log's topic, a space, id of the activation. An activation is registered before it goes into the log and
 * again when every partition has it, so that after a crash in between it is known where to look.
 */
final class PolicyRegister {
    private static final String CLIENT = "vigil-policy-register";
    private static final Duration POLL = Duration.ofMillis(500);

    /**
     * An activation, and the value of its record.
     *
     * @param topicId of the log
     * @param id of its records in the log
     * @param begun and since then not known to be in every partition
     * @param offsets in the log, by partition. Of one that was begun only where the first partition ended before it; of one that
     *     was found in the log, only that partition's
     * @param policy YAML text
     */
    record Entry(String topicId, String id, boolean begun, Map<Integer, Long> offsets, String policy) {
        static Entry begin(String topicId, String id, long end, String policy) {
            return new Entry(topicId, id, true, Map.of(PolicyPublisher.SPEAKER, end), policy);
        }

        Entry done(Map<Integer, Long> doneAt) {
            return new Entry(topicId, id, false, doneAt, policy);
        }

        long speakerOffset() {
            return Objects.requireNonNull(offsets.get(PolicyPublisher.SPEAKER), id);
        }

        private String key() {
            return topicId + " " + id;
        }
    }

    private final KafkaConfig kafka;
    private final String topic;

    PolicyRegister(KafkaConfig kafka) {
        this.kafka = kafka;
        this.topic = kafka.topics().policies();
    }

    /** Those of a log, in the order in which its first partition has them. Empty if there is no register. */
    List<Entry> read(String topicId) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, CLIENT, Map.of())) {
            if (!consumer.listTopics().containsKey(topic)) {
                return List.of();
            }
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = Offsets.end(consumer, partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    String key = new String(record.key(), StandardCharsets.UTF_8);
                    Entry entry = record.value() == null ? null : Json.decode(record.value(), Entry.class);
                    if (entry == null) {
                        entries.remove(key);
                    } else if (entry.topicId().equals(topicId)) {
                        entries.put(key, entry);
                    }
                }
            }
        }
        List<Entry> inOrder = new ArrayList<>(entries.values());
        inOrder.sort(Comparator.comparingLong(Entry::speakerOffset));
        return inOrder;
    }

    /** Returns when the broker has it. */
    static void put(KafkaProducer<byte[], byte[]> producer, KafkaConfig kafka, Entry entry)
            throws ExecutionException, InterruptedException {
        send(producer, kafka, entry, Json.encode(entry));
    }

    /** For one that was begun and never reached the log. */
    static void forget(KafkaProducer<byte[], byte[]> producer, KafkaConfig kafka, Entry entry)
            throws ExecutionException, InterruptedException {
        send(producer, kafka, entry, null);
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer, KafkaConfig kafka, Entry entry, byte @Nullable [] value)
            throws ExecutionException, InterruptedException {
        byte[] key = entry.key().getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(kafka.topics().policies(), 0, key, value))
                .get();
    }
}
