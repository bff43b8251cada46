package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.IntakeConfig;
import dev.vigil.dashboard.intake.RecordReader;
import dev.vigil.dashboard.intake.Refusals;
import dev.vigil.dashboard.intake.RegistryValues;
import dev.vigil.service.EpochClock;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.status.KafkaIntakeStatus;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes events that others write into {@code vigil.intake}, with whatever key and partitioner, into the log, keyed by account; what
 * can never be scored goes to the dead letters. A position is committed after the broker has acknowledged everything before it, so
 * that after a crash records are read again and none is missed; the engine drops what it has by (source, id). Records of one
 * account in one partition keep their order. Several processes share the topic's partitions.
 *
 * <p>On a thread of its own. While the broker is away, no policy is active or the schema registry does not answer, it waits.
 */
public final class KafkaIntake implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaIntake.class);

    private static final String CLIENT = "vigil-dashboard-kafka-intake";
    /** As much as the topic of dead letters takes, with room for what a letter says. */
    private static final int MAX_REQUEST_BYTES = 9 << 20;

    private static final int MAX_FETCH_BYTES = 8 << 20;
    private static final int MAX_BLOCK_MS = 5_000;
    /** A process that was killed holds its partitions for so long; pauses that are longer only move them. */
    static final int SESSION_MS = 10_000;

    private final KafkaConfig kafka;
    private final RecordReader reader;
    private final Refusals refusals;
    private final ActivePolicy policy;
    private final IntakeFigures figures;
    private final ReadLoop loop;

    /** @param registry to read values by that carry a schema's id */
    public KafkaIntake(
            KafkaConfig kafka,
            IntakeConfig config,
            RegistryValues registry,
            ActivePolicy policy,
            EpochClock clock,
            MeterRegistry meters) {
        this(kafka, config, registry, policy, clock, meters, Map.of());
    }

    /** @param overrides of the consumer's settings */
    KafkaIntake(
            KafkaConfig kafka,
            IntakeConfig config,
            RegistryValues registry,
            ActivePolicy policy,
            EpochClock clock,
            MeterRegistry meters,
            Map<String, Object> overrides) {
        this.kafka = kafka;
        this.reader = new RecordReader(config, registry, clock);
        this.refusals = new Refusals(config, reader);
        this.policy = policy;
        this.figures = new IntakeFigures(meters);
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group(kafka));
        settings.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, config.kafka().maxRecords());
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1 << 20);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, MAX_FETCH_BYTES);
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MS);
        settings.putAll(overrides);
        this.loop = new ReadLoop(kafka, CLIENT, "dashboard-kafka-intake", settings, this::read);
    }

    /** The consumer group in which the intake's processes share the partitions. */
    static String group(KafkaConfig kafka) {
        return kafka.topics().prefix() + "-intake";
    }

    /** After the topics were ensured. */
    public void start() {
        loop.start();
    }

    private void read(KafkaConsumer<byte[], byte[]> consumer) {
        KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(
                kafka,
                CLIENT,
                Map.of(
                        ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS,
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES));
        Admin admin = KafkaClients.admin(kafka, CLIENT);
        try {
            new IntakeLoop(kafka.topics(), reader, refusals, policy, figures, consumer, producer, admin)
                    .run(group(kafka), loop::isClosed);
        } catch (KafkaException e) {
            throw e;
        } catch (RuntimeException e) {
            // A thread that ended would look like a topic without records.
            LOG.error(
                    "reading {} failed, trying again: {}",
                    kafka.topics().intake(),
                    e.getClass().getName());
            figures.waiting("reading failed: " + e.getClass().getSimpleName());
            throw new KafkaException(e);
        } finally {
            admin.close(Duration.ZERO);
            producer.close(Duration.ofMillis(500));
        }
    }

    public KafkaIntakeStatus status() {
        return figures.status();
    }

    /** Waits a moment for the broker, commits, and stops the thread. Idempotent. */
    @Override
    public void close() {
        loop.close();
    }
}
