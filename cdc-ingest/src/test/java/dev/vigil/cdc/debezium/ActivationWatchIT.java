package dev.vigil.cdc.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.cdc.kafka.ActivationWatch;
import dev.vigil.event.Json;
import dev.vigil.event.PolicyActivation;
import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class ActivationWatchIT {

    @Test
    void shouldTellOfThePolicyInForceAndOfThoseActivatedFromThenOn() throws Exception {
        KafkaConfig kafka = new KafkaConfig(
                Servers.kafka().bootstrapServers(),
                new TopicNames("watch" + System.nanoTime()),
                2,
                (short) 1,
                (short) 1,
                Duration.ofDays(1),
                Map.of());
        List<String> told = new CopyOnWriteArrayList<>();
        try (Admin admin = KafkaClients.admin(kafka, "test-admin")) {
            TopicSetup.ensure(admin, kafka);
        }
        try (ActivationWatch watch = new ActivationWatch(kafka, told::add);
                KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "test-producer", Map.of())) {
            activate(producer, kafka, "policy: long gone");
            activate(producer, kafka, "policy: in force");
            watch.start();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told.equals(List.of("policy: in force")));
            activate(producer, kafka, "policy: next");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> told.equals(List.of("policy: in force", "policy: next")));
        }
    }

    private static void activate(KafkaProducer<byte[], byte[]> producer, KafkaConfig kafka, String policy)
            throws Exception {
        byte[] activation = Json.encode(new PolicyActivation("log", policy, false, Map.of(0, 1L), policy));
        producer.send(new ProducerRecord<>(kafka.topics().policies(), 0, policy.getBytes(UTF_8), activation))
                .get();
    }
}
