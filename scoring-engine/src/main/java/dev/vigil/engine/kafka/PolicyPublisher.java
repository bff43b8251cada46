package dev.vigil.engine.kafka;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** Puts policies into the log and finds the one that is in force there. Blocks; not for a service's threads. */
public final class PolicyPublisher {
    private static final String CLIENT = "vigil-policy";
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaConfig kafka;

    public PolicyPublisher(KafkaConfig kafka) {
        this.kafka = kafka;
    }

    /**
     * Activates a checked policy in every partition; returns when the broker has it in all.
     *
     * @param timeUs when, µs since the epoch; for people, scoring does not read it
     * @return offset of the activation, by partition
     */
    public Map<Integer, Long> activate(Policy policy, long timeUs) {
        EventEnvelope activation = Policies.activation(policy, timeUs);
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, CLIENT, Map.of())) {
            List<Future<RecordMetadata>> sends = new ArrayList<>();
            for (int partition = 0; partition < kafka.partitions(); partition++) {
                sends.add(producer.send(EventRecords.control(kafka.topics().events(), partition, activation)));
            }
            Map<Integer, Long> offsets = new HashMap<>();
            for (Future<RecordMetadata> send : sends) {
                offsets.put(send.get().partition(), send.get().offset());
            }
            return offsets;
        } catch (ExecutionException e) {
            throw new ServiceException(
                    "policy was not activated: " + e.getCause().getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted while activating the policy", e);
        }
    }

    /** YAML text of the last policy activated in partition 0; empty before the first. Reads the partition through. */
    public Optional<String> active() {
        TopicPartition partition = new TopicPartition(kafka.topics().events(), 0);
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, CLIENT, new HashMap<>())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            Optional<String> active = Optional.empty();
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (isActivation(record)) {
                        active = Optional.of(
                                (String) Json.decodeObject(record.value()).get("policy"));
                    }
                }
            }
            return active;
        }
    }

    private static boolean isActivation(ConsumerRecord<byte[], byte[]> record) {
        Header type = record.headers().lastHeader(EventEnvelope.TYPE_HEADER);
        return type != null && EventTypes.POLICY.equals(new String(type.value(), StandardCharsets.UTF_8));
    }
}
