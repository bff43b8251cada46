package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.Json;
import dev.vigil.event.SourcePosition;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaisedAlertsIT {
    @TempDir
    Path directory;

    private final List<String> told = new ArrayList<>();

    @Test
    void shouldTellOfEachAlertOnceFromTheMomentOn() throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(directory)) {
            KafkaConfig kafka = KafkaConfig.local(broker.bootstrapServers());
            TopicSetup.ensure(kafka, "test");
            try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "test", Map.of())) {
                raise(producer, kafka, 0, 7, 900);
                try (RaisedAlerts alerts = new RaisedAlerts(kafka)) {
                    alerts.readOn(this::told);
                    assertThat(told).isEmpty();

                    raise(producer, kafka, 0, 8, 1_000);
                    raise(producer, kafka, 3, 8, 1_001);
                    alerts.readOn(this::told);
                    assertThat(told).containsExactlyInAnyOrder("0:8 at 1000", "3:8 at 1001");

                    told.clear();
                    raise(producer, kafka, 0, 8, 2_000);
                    raise(producer, kafka, 0, 9, 2_001);
                    alerts.readOn(this::told);
                    assertThat(told)
                            .as("without the one that the engine repeated")
                            .containsExactly("0:9 at 2001");
                }
            }
        }
    }

    private void told(Alert alert, long raisedAtMs) {
        told.add(alert.alertId() + " at " + raisedAtMs);
    }

    private static void raise(
            KafkaProducer<byte[], byte[]> producer, KafkaConfig kafka, int partition, long offset, long atMs)
            throws Exception {
        Alert alert = new Alert(
                partition + ":" + offset,
                "1",
                "/shop",
                "transaction",
                "A1",
                0,
                0,
                new SourcePosition("log", partition, offset),
                "p",
                1,
                "EUR",
                90,
                Decision.DECLINE,
                "A1",
                0,
                Map.of(),
                List.of());
        producer.send(new ProducerRecord<>(kafka.topics().alerts(), partition, atMs, null, Json.encode(alert)))
                .get();
    }
}
