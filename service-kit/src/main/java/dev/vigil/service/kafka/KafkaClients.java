package dev.vigil.service.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Clients with the settings that Vigil's guarantees need: idempotent producers that wait for every in-sync replica,
 * consumers that read committed records, never jump to the log's end and never commit by themselves. The caller closes
 * them.
 */
public final class KafkaClients {
    private KafkaClients() {}

    /**
     * Makes one client of each kind and closes it, without asking a broker.
     *
     * @throws KafkaException if one of them refuses its settings
     */
    public static void requireUsable(KafkaConfig config, String clientId) {
        admin(config, clientId).close(Duration.ZERO);
        producer(config, clientId, Map.of()).close(Duration.ZERO);
        consumer(config, clientId, Map.of()).close(CloseOptions.timeout(Duration.ZERO));
    }

    public static Admin admin(KafkaConfig config, String clientId) {
        return admin(config, clientId, Map.of());
    }

    /** @param overrides of single settings, such as default.api.timeout.ms */
    public static Admin admin(KafkaConfig config, String clientId, Map<String, Object> overrides) {
        Map<String, Object> properties = common(config, clientId);
        properties.putAll(overrides);
        return Admin.create(properties);
    }

    /** @param overrides of single settings, such as linger.ms */
    public static KafkaProducer<byte[], byte[]> producer(
            KafkaConfig config, String clientId, Map<String, Object> overrides) {
        Map<String, Object> properties = common(config, clientId);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        properties.putAll(overrides);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** @param overrides of single settings, such as group.id or max.poll.records */
    public static KafkaConsumer<byte[], byte[]> consumer(
            KafkaConfig config, String clientId, Map<String, Object> overrides) {
        Map<String, Object> properties = common(config, clientId);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        properties.putAll(overrides);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static Map<String, Object> common(KafkaConfig config, String clientId) {
        Map<String, Object> properties = new HashMap<>(config.properties());
        properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
        properties.put(AdminClientConfig.CLIENT_ID_CONFIG, clientId);
        return properties;
    }
}
