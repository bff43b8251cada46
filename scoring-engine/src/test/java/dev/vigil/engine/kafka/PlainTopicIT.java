package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.engine.EngineConfig;
import dev.vigil.event.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A topic that another team fills with JSON, older than any policy, is the log as it is. */
@ExtendWith(TestBroker.class)
class PlainTopicIT {
    private static final String POLICY = """
            policy: plain
            version: 1
            currency: EUR
            events:
              payment: {fields: {amount: money}}
            plain: {source: /payments, type: payment, id: id, time: {path: at, unit: ms}}
            features: {n: {count: payment, over: 1h}}
            """;

    @TempDir
    private Path data;

    private static ProducerRecord<byte[], byte[]> payment(String topic, int number) {
        String json = "{\"id\": \"p-" + number + "\", \"amount\": 1.5, \"at\": "
                + (1_772_323_200_000L + number * 1_000L) + "}";
        return new ProducerRecord<>(
                topic, ("acc-" + number % 3).getBytes(StandardCharsets.UTF_8), json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldBeScoredFromItsFirstRecordOnAndTheSameWhenScoredAgain(EmbeddedKafka broker) {
        try (Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            EngineConfig config = TestConfigs.of(data).firstPolicy(POLICY).build();
            String topic = deployment.kafka().topics().events();
            for (int number = 0; number < 30; number++) {
                deployment.send(payment(topic, number));
            }
            deployment.flush();
            try (ScoringEngine engine = deployment.engine(data, config)) {
                engine.start();
                deployment.awaitScored(engine);
            }
            for (int number = 30; number < 60; number++) {
                deployment.send(payment(topic, number));
            }
            deployment.flush();
            try (ScoringEngine engine = deployment.engine(data, config)) {
                engine.start();
                deployment.awaitScored(engine);
                assertThat(engine.status().counts().scored()).isEqualTo(60);
            }
            List<Map<String, Object>> scored = deployment
                    .records(deployment.kafka().topics().scored())
                    .stream()
                    .map(record -> Json.decodeObject(record.value()))
                    .toList();
            assertThat(scored).hasSize(60);
            assertThat(scored)
                    .filteredOn(record -> record.get("event_id").equals("p-59"))
                    .singleElement()
                    .extracting(record -> record.get("features"))
                    .hasToString("{n=20}");

            LogVerifier.Result verified =
                    new LogVerifier(deployment.kafka(), 0, Long.MAX_VALUE, config.firstPolicy()).verify();
            assertThat(List.of(verified.compared(), verified.mismatches())).containsExactly(60L, 0L);
        }
    }
}
