package dev.vigil.engine.kafka;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import dev.vigil.event.PolicyActivation;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Puts policies into the log and finds the one that is in force there. Blocks; not for a service's threads. */
public final class PolicyPublisher {
    private static final String CLIENT = "vigil-policy";
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int SPEAKER = PolicyActivation.SPEAKER;

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
        String topicId = ensureTopics();
        ActivatedPolicies before = activated(topicId);
        if (before.isActive(policy)) {
            return Optional.empty();
        }
        before.requireMayFollow(policy, allowed);
        return Optional.of(activate(topicId, policy, timeUs));
    }

    /**
     * Activates a checked policy in every partition, whatever was activated before; creates topics that are missing. Returns when
     * the broker has it in all.
     *
     * @param timeUs as for {@link #apply}
     * @return offset of the activation, by partition
     */
    public Map<Integer, Long> activate(Policy policy, long timeUs) {
        return activate(ensureTopics(), policy, timeUs);
    }

    private String ensureTopics() {
        return Objects.requireNonNull(
                TopicSetup.ensure(kafka, CLIENT).get(kafka.topics().events()));
    }

    private Map<Integer, Long> activate(String topicId, Policy policy, long timeUs) {
        EventEnvelope activation = Policies.activation(policy, timeUs);
        PolicyActivation entry = PolicyActivation.begin(topicId, activation.id(), end(), policy.text());
        return writing("policy was not activated", producer -> {
            PolicyRegister.put(producer, kafka, entry);
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
            PolicyRegister.put(producer, kafka, entry.doneAt(offsets));
            return offsets;
        });
    }

    private Future<RecordMetadata> send(
            KafkaProducer<byte[], byte[]> producer, int partition, EventEnvelope activation) {
        return producer.send(EventRecords.control(kafka.topics().events(), partition, activation));
    }

    private interface Writing<T> {
        T with(KafkaProducer<byte[], byte[]> producer) throws ExecutionException, InterruptedException;
    }

    private <T> T writing(String failure, Writing<T> writing) {
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, CLIENT, Map.of())) {
            return writing.with(producer);
        } catch (ExecutionException e) {
            throw ServiceException.because(failure, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted: " + failure, e);
        }
    }

    /** YAML text of the last policy activated, past an activation that has no text, as the engine does; empty before the first. */
    public Optional<String> active() {
        return logId().flatMap(id -> activated(id).active());
    }

    /**
     * The policy that was activated last before an offset, as far as the register knows.
     *
     * @param topicId of the log
     * @return null if none is known
     */
    @Nullable
    Policy inForce(String topicId, int partition, long offset) {
        ActivatedPolicies activated = new ActivatedPolicies();
        for (PolicyActivation entry : registered(topicId)) {
            // Of one that was found in the first partition only, elsewhere nothing is known but its order.
            if (entry.offsets().getOrDefault(partition, 0L) < offset) {
                activated.add(entry.policy());
            }
        }
        return activated
                .active()
                .map(text -> Policies.check(kafka.topics().policies(), text))
                .orElse(null);
    }

    private ActivatedPolicies activated(String topicId) {
        ActivatedPolicies activated = new ActivatedPolicies();
        registered(topicId).forEach(entry -> activated.add(entry.policy()));
        return activated;
    }

    /**
     * What the register says, once it says the whole: a log that is older than the register is read through, and where an activation
     * was begun and not seen to end, the log from there on.
     */
    private List<PolicyActivation> registered(String topicId) {
        try {
            List<PolicyActivation> entries = new PolicyRegister(kafka).read(topicId);
            List<PolicyActivation> open =
                    entries.stream().filter(PolicyActivation::begun).toList();
            if (!entries.isEmpty() && open.isEmpty()) {
                return entries;
            }
            long from = open.isEmpty() ? 0 : open.get(0).speakerOffset();
            Map<String, PolicyActivation> found = inLog(topicId, from);
            if (entries.isEmpty() && found.isEmpty()) {
                return entries;
            }
            writing("the policies of the log were not registered", producer -> {
                for (PolicyActivation entry : found.values()) {
                    PolicyRegister.put(producer, kafka, entry);
                }
                for (PolicyActivation entry : open) {
                    if (!found.containsKey(entry.id())) {
                        PolicyRegister.forget(producer, kafka, entry);
                    }
                }
                return found;
            });
            return new PolicyRegister(kafka).read(topicId);
        } catch (KafkaException e) {
            throw new ServiceException(
                    "Kafka at " + kafka.bootstrapServers() + ": the log cannot be read: " + e.getMessage(), e);
        }
    }

    /** Activations in the first partition, by id. */
    private Map<String, PolicyActivation> inLog(String topicId, long from) {
        Map<String, PolicyActivation> found = new LinkedHashMap<>();
        TopicPartition partition = new TopicPartition(kafka.topics().events(), SPEAKER);
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, CLIENT, Map.of())) {
            consumer.assign(List.of(partition));
            long beginning = Offsets.of(partition, consumer.beginningOffsets(List.of(partition)));
            consumer.seek(partition, Math.max(from, beginning));
            long end = Offsets.end(consumer, partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (EventTypes.POLICY.equals(header(record, EventEnvelope.TYPE_HEADER))
                            && Json.decodeObject(record.value()).get("policy") instanceof String text) {
                        String id = String.valueOf(header(record, EventEnvelope.ID_HEADER));
                        found.put(id, new PolicyActivation(topicId, id, false, Map.of(SPEAKER, record.offset()), text));
                    }
                }
            }
        }
        return found;
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** Where the first partition of the log ends. */
    private long end() {
        TopicPartition partition = new TopicPartition(kafka.topics().events(), SPEAKER);
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, CLIENT, Map.of())) {
            return Offsets.end(consumer, partition);
        }
    }

    /** Id of the log's topic; empty if there is none yet. */
    private Optional<String> logId() {
        try (Admin admin = KafkaClients.admin(kafka, CLIENT)) {
            return TopicSetup.id(admin, kafka.topics().events());
        } catch (KafkaException e) {
            throw new ServiceException("Kafka at " + kafka.bootstrapServers() + ": " + e.getMessage(), e);
        }
    }
}
