package dev.vigil.service.kafka;

import dev.vigil.event.TopicNames;
import dev.vigil.service.ServiceException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates Vigil's topics where they are missing and refuses ones that do not fit. Every service calls it at its start. */
public final class TopicSetup {
    private static final int DESCRIBE_ATTEMPT_COUNT = 100;
    private static final int DESCRIBE_WAIT_MS = 100;

    private static final int OUTPUT_MAX_BYTES = 8 << 20;

    private TopicSetup() {}

    /** As the other, over a connection of its own that is closed again. */
    public static Map<String, String> ensure(KafkaConfig config, String clientId) {
        try (Admin admin = KafkaClients.admin(config, clientId)) {
            return ensure(admin, config);
        }
    }

    /**
     * @return topic ids by name
     * @throws ServiceException if the broker does not answer, or a topic has another partition count than configured
     */
    public static Map<String, String> ensure(Admin admin, KafkaConfig config) {
        try {
            Map<String, String> ids = new HashMap<>();
            for (TopicDescription topic : described(admin, config)) {
                requirePartitions(topic, config);
                ids.put(topic.name(), topic.topicId().toString());
            }
            return ids;
        } catch (ExecutionException e) {
            throw ServiceException.because("Kafka at " + config.bootstrapServers(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted while creating topics", e);
        }
    }

    /**
     * A topic is created before every broker has heard of it, and listed for a while after it was deleted: one that is not known
     * is looked for again, and created again if by then it is not listed either.
     */
    private static Collection<TopicDescription> described(Admin admin, KafkaConfig config)
            throws ExecutionException, InterruptedException {
        boolean created = false;
        for (int attempt = 1; ; attempt++) {
            try {
                created |= createMissing(admin, config);
                Collection<TopicDescription> topics = admin.describeTopics(
                                config.topics().all())
                        .allTopicNames()
                        .get()
                        .values();
                if (created) {
                    awaitLeaders(admin, topics);
                }
                return topics;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || attempt == DESCRIBE_ATTEMPT_COUNT) {
                    throw e;
                }
                Thread.sleep(DESCRIBE_WAIT_MS);
            }
        }
    }

    private static boolean createMissing(Admin admin, KafkaConfig config)
            throws ExecutionException, InterruptedException {
        Set<String> existing = admin.listTopics().names().get();
        List<NewTopic> missing = new ArrayList<>();
        for (String name : config.topics().all()) {
            if (!existing.contains(name)) {
                missing.add(topic(name, config));
            }
        }
        create(admin, missing);
        return !missing.isEmpty();
    }

    private static void requirePartitions(TopicDescription topic, KafkaConfig config) {
        int found = topic.partitions().size();
        if (isRegister(topic.name(), config)) {
            if (found != 1) {
                throw new ServiceException("topic " + topic.name() + ": expected 1 partition, found " + found
                        + "; what stands in it would depend on the partition that is read first");
            }
        } else if (topic.name().equals(config.topics().intake())) {
            // Written by others, in whatever partitions they like: its records find their place in the log by their
            // account.
            return;
        } else if (found != config.partitions()) {
            throw new ServiceException("topic " + topic.name() + ": expected " + config.partitions()
                    + " partitions as configured (kafka.partitions), found " + found
                    + "; accounts would leave their state behind, so set kafka.partitions to what the topic has");
        }
    }

    private static boolean isRegister(String name, KafkaConfig config) {
        return name.equals(config.topics().policies())
                || name.equals(config.topics().endpoints());
    }

    /**
     * Id of a topic; empty if there is none of that name.
     *
     * @throws KafkaException if the broker does not answer
     */
    public static Optional<String> id(Admin admin, String topic) {
        try {
            return admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
                    .map(found -> found.topicId().toString())
                    .findFirst();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw new KafkaException(
                    String.valueOf(ServiceException.because("topic " + topic, e).getMessage()), e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /**
     * A new partition may refuse a producer's first batch, as its leader does not know yet that it leads, and accept the
     * second, which was on its way already. The first is out of order from then on and is sent again for ever. Asked for
     * its end, a leader answers as soon as it takes records.
     */
    private static void awaitLeaders(Admin admin, Collection<TopicDescription> topics)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (TopicDescription topic : topics) {
            topic.partitions()
                    .forEach(partition ->
                            ends.put(new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest()));
        }
        admin.listOffsets(ends).all().get();
    }

    private static void create(Admin admin, List<NewTopic> topics) throws ExecutionException, InterruptedException {
        try {
            admin.createTopics(topics).all().get();
        } catch (ExecutionException e) {
            // Another service of this deployment was faster; what it created is checked below like any other.
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
            if (topics.size() > 1) {
                for (NewTopic topic : topics) {
                    create(admin, List.of(topic));
                }
            }
        }
    }

    private static NewTopic topic(String name, KafkaConfig config) {
        TopicNames topics = config.topics();
        Map<String, String> settings = new HashMap<>();
        settings.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Short.toString(config.minInsyncReplicas()));
        if (isRegister(name, config)) {
            settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
            settings.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(OUTPUT_MAX_BYTES));
            return new NewTopic(name, 1, config.replicationFactor()).configs(settings);
        }
        // What people did stays: the topic is the audit.
        boolean isKept = name.equals(topics.caseActions());
        settings.put(
                TopicConfig.RETENTION_MS_CONFIG,
                isKept ? "-1" : Long.toString(config.retention().toMillis()));
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        if (name.equals(topics.events()) || name.equals(topics.intake())) {
            // Ingest time is when the broker appended the record, whatever the producer's clock says.
            settings.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        } else {
            // What comes of a record is larger than the record; it must fit whatever the log took.
            settings.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(OUTPUT_MAX_BYTES));
        }
        return new NewTopic(name, config.partitions(), config.replicationFactor()).configs(settings);
    }
}
