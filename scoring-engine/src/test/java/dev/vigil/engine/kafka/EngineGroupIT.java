package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.engine.EngineConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Engines that share a log. */
@ExtendWith(TestBroker.class)
class EngineGroupIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void shouldLoseNothingAndDifferInNothingWhenPartitionsMoveBetweenEngines(EmbeddedKafka broker) throws Exception {
        try (Deployment deployment = Deployment.on(broker.bootstrapServers());
                ScoringEngine first = engine(deployment, "first");
                ScoringEngine second = engine(deployment, "second")) {
            deployment.activate(TestPolicy.text(1, 600));
            first.start();
            try (Pacer pacer = new Pacer(deployment, new TestTraffic(5))) {
                await().atMost(PATIENCE).until(() -> first.status().counts().scored() > 200);
                second.start();
                await().atMost(PATIENCE).until(() -> second.status().counts().scored() > 200);
                assertThat(first.status().partitions()).hasSize(1);
                assertThat(second.status().partitions()).hasSize(1);
                deployment.activate(TestPolicy.text(2, 300));
                first.close();
                await().atMost(PATIENCE)
                        .until(() -> second.status().partitions().size() == Deployment.PARTITIONS);
                assertThat(pacer.sentCount()).isPositive();
            }
            deployment.awaitScored(second);
            second.close();
            assertThat(second.status().counts().addUp()).isTrue();
            assertThat(second.status().counts().read())
                    .isEqualTo(deployment.log().size());
            deployment.assertSameWithoutRepeats();
        }
    }

    private ScoringEngine engine(Deployment deployment, String name) {
        Path data = directory.resolve(name);
        EngineConfig config = TestConfigs.of(data)
                .threads(1)
                .checkpointEach(Duration.ofSeconds(1))
                .checkpointIn(directory.resolve("checkpoints"))
                .build();
        return deployment.engine(data, config);
    }
}
