package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.DeclaredTypes;
import dev.vigil.dashboard.intake.FakePolicies;
import dev.vigil.dashboard.intake.PolicyLanguage;
import dev.vigil.dashboard.intake.RegistryValues;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Topics of their own on a broker, a foreign producer, and intakes that read what it writes. */
final class IntakeHarness implements AutoCloseable {
    static final String TIME = "2026-11-30T06:55:24.250Z";
    static final String POLICY = "login: device ip\nplain: id time account type";

    final KafkaConfig kafka;
    final KafkaProducer<byte[], byte[]> foreign;

    IntakeHarness(String bootstrapServers, String prefix) {
        this.kafka = config(bootstrapServers, prefix);
        KafkaTopics.ensure(kafka);
        this.foreign = KafkaClients.producer(kafka, "foreign", Map.of("max.request.size", 4 << 20));
    }

    /** With an intake topic that was there before, of another name and other partitions. */
    IntakeHarness(String bootstrapServers, String prefix, String intakeTopic, int intakePartitions) {
        this.kafka = new KafkaConfig(
                bootstrapServers,
                new TopicNames(prefix, Map.of("intake", intakeTopic)),
                2,
                (short) 1,
                (short) 1,
                Duration.ofDays(1),
                Map.of());
        try (Admin admin = KafkaClients.admin(kafka, "test")) {
            admin.createTopics(List.of(new NewTopic(intakeTopic, intakePartitions, (short) 1)))
                    .all()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
        KafkaTopics.ensure(kafka);
        this.foreign = KafkaClients.producer(kafka, "foreign", Map.of());
    }

    static KafkaConfig config(String bootstrapServers, String prefix) {
        return new KafkaConfig(
                bootstrapServers, new TopicNames(prefix), 2, (short) 1, (short) 1, Duration.ofDays(1), Map.of());
    }

    static ActivePolicy policy(String text) {
        FakePolicies policies = FakePolicies.none();
        policies.activated(text);
        ActivePolicy active = new ActivePolicy(policies);
        active.activated(text);
        active.readToEnd();
        return active;
    }

    /** As {@link #POLICY}, but for one event that it fails at. */
    static ActivePolicy policyWithAFault(String id) {
        DeclaredTypes sound = FakePolicies.of(POLICY);
        DeclaredTypes faulty = new DeclaredTypes() {
            @Override
            public String policy() {
                return sound.policy();
            }

            @Override
            public Verdict check(EventEnvelope event, long nowMs) {
                if (event.id().equals(id)) {
                    throw new IllegalStateException("a fault");
                }
                return sound.check(event, nowMs);
            }

            @Override
            public Collection<String> fields(String type) {
                return sound.fields(type);
            }

            @Override
            public boolean readsPlain() {
                return sound.readsPlain();
            }

            @Override
            public Optional<Plain> plain(byte[] json) {
                return sound.plain(json);
            }
        };
        ActivePolicy active = new ActivePolicy(new PolicyLanguage() {
            @Override
            public Optional<DeclaredTypes> first() {
                return Optional.of(faulty);
            }

            @Override
            public Optional<DeclaredTypes> activated(String policyText) {
                return first();
            }
        });
        active.readToEnd();
        return active;
    }

    KafkaIntake intake(SimpleMeterRegistry meters) {
        return intake("{}", policy(POLICY), RegistryValues.none(), meters, Map.of());
    }

    KafkaIntake intake() {
        return intake("{}", policy(POLICY), Map.of());
    }

    KafkaIntake intake(String config, ActivePolicy policy, Map<String, Object> overrides) {
        return intake(config, policy, RegistryValues.none(), overrides);
    }

    KafkaIntake intake(String config, ActivePolicy policy, RegistryValues registry, Map<String, Object> overrides) {
        return intake(config, policy, registry, new SimpleMeterRegistry(), overrides);
    }

    private KafkaIntake intake(
            String config,
            ActivePolicy policy,
            RegistryValues registry,
            SimpleMeterRegistry meters,
            Map<String, Object> overrides) {
        KafkaIntake intake = new KafkaIntake(
                kafka, FakePolicies.config(config), registry, policy, System::currentTimeMillis, meters, overrides);
        intake.start();
        return intake;
    }

    RecordMetadata send(@Nullable Integer partition, @Nullable String key, byte @Nullable [] value, String... headers) {
        List<Header> list = new ArrayList<>();
        for (int i = 0; i < headers.length; i += 2) {
            list.add(new RecordHeader(headers[i], headers[i + 1].getBytes(StandardCharsets.UTF_8)));
        }
        try {
            return foreign.send(new ProducerRecord<>(
                            kafka.topics().intake(), partition, null, key == null ? null : bytes(key), value, list))
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** A plain login, as another system writes it, keyed by whatever. */
    RecordMetadata sendLogin(@Nullable Integer partition, String id, String account) {
        return send(partition, "some-" + id, bytes(login(id, account)));
    }

    static String login(String id, String account) {
        return "{\"id\":\"" + id + "\",\"time\":\"" + TIME + "\",\"account\":\"" + account
                + "\",\"type\":\"login\",\"device\":\"d1\"}";
    }

    static String[] attributes(String id, String account) {
        return new String[] {
            "ce_specversion",
            "1.0",
            "ce_id",
            id,
            "ce_source",
            "/shop",
            "ce_type",
            "login",
            "ce_subject",
            account,
            "ce_time",
            TIME,
            "content-type",
            "application/json"
        };
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte @Nullable [] bytes) {
        return new String(Objects.requireNonNull(bytes), StandardCharsets.UTF_8);
    }

    static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : text(header.value());
    }

    static List<String> ids(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream()
                .map(record -> String.valueOf(header(record, EventEnvelope.ID_HEADER)))
                .toList();
    }

    List<ConsumerRecord<byte[], byte[]>> log() {
        return read(kafka.topics().events());
    }

    List<ConsumerRecord<byte[], byte[]>> letters() {
        return read(kafka.topics().deadLetters());
    }

    /** All records of a topic, partition by partition, in order. */
    List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (BoundedReader reader = new BoundedReader(kafka, "test", Duration.ofSeconds(20))) {
            List<TopicPartition> partitions = reader.partitions(topic);
            Map<TopicPartition, Long> begins = reader.beginnings(partitions);
            Map<TopicPartition, Long> ends = reader.ends(partitions);
            for (TopicPartition partition : partitions) {
                reader.read(partition, begins.get(partition), ends.get(partition), records::add);
            }
        }
        return records;
    }

    /** What the group has committed, by partition. */
    Map<TopicPartition, OffsetAndMetadata> committed() {
        try (var admin = KafkaClients.admin(kafka, "test")) {
            return admin.listConsumerGroupOffsets(KafkaIntake.group(kafka))
                    .partitionsToOffsetAndMetadata()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        foreign.close(Duration.ofSeconds(1));
    }
}
