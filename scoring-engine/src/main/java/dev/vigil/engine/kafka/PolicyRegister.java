package dev.vigil.engine.kafka;

import dev.vigil.event.Json;
import dev.vigil.event.PolicyActivation;
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

    private final KafkaConfig kafka;
    private final String topic;

    PolicyRegister(KafkaConfig kafka) {
        this.kafka = kafka;
        this.topic = kafka.topics().policies();
    }

    /** Those of a log, in the order in which its first partition has them. Empty if there is no register. */
    List<PolicyActivation> read(String topicId) {
        Map<String, PolicyActivation> entries = new LinkedHashMap<>();
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
                    PolicyActivation entry =
                            record.value() == null ? null : Json.decode(record.value(), PolicyActivation.class);
                    if (entry == null) {
                        entries.remove(key);
                    } else if (entry.topicId().equals(topicId)) {
                        entries.put(key, entry);
                    }
                }
            }
        }
        List<PolicyActivation> inOrder = new ArrayList<>(entries.values());
        inOrder.sort(Comparator.comparingLong(PolicyActivation::speakerOffset));
        return inOrder;
    }

    /** Returns when the broker has it. */
    static void put(KafkaProducer<byte[], byte[]> producer, KafkaConfig kafka, PolicyActivation entry)
            throws ExecutionException, InterruptedException {
        send(producer, kafka, entry, Json.encode(entry));
    }

    /** For one that was begun and never reached the log. */
    static void forget(KafkaProducer<byte[], byte[]> producer, KafkaConfig kafka, PolicyActivation entry)
            throws ExecutionException, InterruptedException {
        send(producer, kafka, entry, null);
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer, KafkaConfig kafka, PolicyActivation entry, byte @Nullable [] value)
            throws ExecutionException, InterruptedException {
        byte[] key = entry.key().getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(kafka.topics().policies(), 0, key, value))
                .get();
    }
}
