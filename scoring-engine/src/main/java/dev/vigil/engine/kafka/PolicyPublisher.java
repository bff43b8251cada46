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
import dev.vigil.service.kafka.Offsets;
import dev.vigil.service.kafka.TopicSetup;
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
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** Puts policies into the log and finds the one that is in force there. Blocks; not for a service's threads. */
public final class PolicyPublisher {
    private static final String CLIENT = "vigil-policy";
    private static final Duration POLL = Duration.ofMillis(500);
    /** Told last of an activation and asked first which one is active. */
    private static final int SPEAKER = 0;

    /** Which versions may follow the active one. */
    public enum Versions {
        HIGHER,
        /** Lower ones too: a roll-back. */
        ANY
    }

    private final KafkaConfig kafka;

    public PolicyPublisher(KafkaConfig kafka) {
        this.kafka = kafka;
    }

    /**
     * Activates a checked policy unless it is active already; creates topics that are missing.
     *
     * @param timeUs when, µs since the epoch; for people, scoring does not read it
     * @return offset of the activation by partition; empty if this very text is the active one
     * @throws PolicyRefusedException if its version is not one of the allowed, or was activated before with another text,
     *     as far as the log reaches back
     */
    public Optional<Map<Integer, Long>> apply(Policy policy, long timeUs, Versions allowed) {
        TopicSetup.ensure(kafka, CLIENT);
        ActivatedPolicies before = activated();
        if (before.isActive(policy)) {
            return Optional.empty();
        }
        before.requireMayFollow(policy, allowed);
        return Optional.of(activate(policy, timeUs));
    }

    /**
     * Activates a checked policy in every partition, whatever was activated before; returns when the broker has it in all.
     *
     * @param timeUs as for {@link #apply}
     * @return offset of the activation, by partition
     */
    public Map<Integer, Long> activate(Policy policy, long timeUs) {
        EventEnvelope activation = Policies.activation(policy, timeUs);
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, CLIENT, Map.of())) {
            List<Future<RecordMetadata>> sends = new ArrayList<>();
            for (int partition = 0; partition < kafka.partitions(); partition++) {
                if (partition != SPEAKER) {
                    sends.add(send(producer, partition, activation));
                }
            }
            Map<Integer, Long> offsets = new HashMap<>();
            for (Future<RecordMetadata> send : sends) {
                offsets.put(send.get().partition(), send.get().offset());
            }
            // So that a policy counts as active only when no partition lacks it, whatever ends this process.
            offsets.put(SPEAKER, send(producer, SPEAKER, activation).get().offset());
            return offsets;
        } catch (ExecutionException e) {
            throw ServiceException.because("policy was not activated", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted while activating the policy", e);
        }
    }

    private Future<RecordMetadata> send(
            KafkaProducer<byte[], byte[]> producer, int partition, EventEnvelope activation) {
        return producer.send(EventRecords.control(kafka.topics().events(), partition, activation));
    }

    /**
     * YAML text of the last policy activated; empty before the first. Reads a partition of the log through, past an
     * activation that has no text, as the engine does.
     */
    public Optional<String> active() {
        return activated().active();
    }

    private ActivatedPolicies activated() {
        ActivatedPolicies activated = new ActivatedPolicies();
        TopicPartition partition = new TopicPartition(kafka.topics().events(), SPEAKER);
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, CLIENT, new HashMap<>())) {
            if (!consumer.listTopics().containsKey(partition.topic())) {
                return activated;
            }
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = Offsets.end(consumer, partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (isActivation(record)
                            && Json.decodeObject(record.value()).get("policy") instanceof String text) {
                        activated.add(text);
                    }
                }
            }
            return activated;
        } catch (KafkaException e) {
            throw new ServiceException(
                    "Kafka at " + kafka.bootstrapServers() + ": the log cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isActivation(ConsumerRecord<byte[], byte[]> record) {
        Header type = record.headers().lastHeader(EventEnvelope.TYPE_HEADER);
        return type != null && EventTypes.POLICY.equals(new String(type.value(), StandardCharsets.UTF_8));
    }
}
