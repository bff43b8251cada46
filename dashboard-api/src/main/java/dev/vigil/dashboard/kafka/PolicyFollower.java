package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.event.Json;
import dev.vigil.event.PolicyActivation;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import dev.vigil.service.kafka.TopicSetup;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the activations of policies out of the register, all and as they come, on a thread of its own. Goes on when the broker
 * comes back. An activation is registered after every partition of the log has it.
 */
public final class PolicyFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyFollower.class);
    private static final String CLIENT = "vigil-dashboard-policy";
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaConfig config;
    private final TopicPartition register;
    private final ActivePolicy policy;
    private final ReadLoop loop;
    /** In the log's partition that speaks for all. */
    private long activeSince = -1;

    public PolicyFollower(KafkaConfig config, ActivePolicy policy) {
        this.config = config;
        this.register = new TopicPartition(config.topics().policies(), 0);
        this.policy = policy;
        this.loop = new ReadLoop(config, CLIENT, "dashboard-policy", Map.of(), this::follow);
    }

    public void start() {
        loop.start();
    }

    private void follow(KafkaConsumer<byte[], byte[]> consumer) {
        String logId = logId();
        consumer.assign(List.of(register));
        consumer.seekToBeginning(List.of(register));
        long end = Offsets.end(consumer, register);
        while (!loop.isClosed()) {
            if (consumer.position(register) >= end) {
                policy.readToEnd();
            }
            consumer.poll(POLL).forEach(record -> read(record, logId));
        }
    }

    private String logId() {
        String log = config.topics().events();
        try (Admin admin = KafkaClients.admin(config, CLIENT)) {
            return TopicSetup.id(admin, log).orElseThrow(() -> new KafkaException("topic " + log + ": not there"));
        }
    }

    private void read(ConsumerRecord<byte[], byte[]> record, String logId) {
        PolicyActivation activation = record.value() == null ? null : activation(record);
        if (activation == null || activation.begun() || !activation.topicId().equals(logId)) {
            return;
        }
        if (activation.speakerOffset() > activeSince) {
            activeSince = activation.speakerOffset();
            policy.activated(activation.policy());
        }
    }

    /** Null where it is none, which a person must have written. */
    private static @Nullable PolicyActivation activation(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Json.decode(record.value(), PolicyActivation.class);
        } catch (UncheckedIOException e) {
            LOG.warn("{} offset {}: no activation of a policy: {}", record.topic(), record.offset(), e.getMessage());
            return null;
        }
    }

    /** Idempotent. */
    @Override
    public void close() {
        loop.close();
    }
}
