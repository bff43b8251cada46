package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.embedded.EmbeddedKafkaProcess;
import dev.vigil.engine.EngineConfig;
import dev.vigil.engine.TaskStores;
import dev.vigil.engine.checkpoint.Checkpoints;
import dev.vigil.engine.s3.S3Server;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import dev.vigil.service.status.ServiceState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Engines and brokers that end at once; what readers keep is what an undisturbed run gives. */
@ExtendWith(TestBroker.class)
class EngineCrashIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path data;

    @Test
    void shouldRepeatButNeverDifferWhenItsProcessIsKilled(EmbeddedKafka broker) throws Exception {
        try (Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            deployment.activate(TestPolicy.updating(1, 600));
            try (Pacer pacer = new Pacer(deployment, new TestTraffic(2))) {
                for (int kill = 0; kill < 2; kill++) {
                    int before = deployment.outputs().size();
                    try (EngineProcess process = EngineProcess.start(deployment.kafka(), data)) {
                        await().atMost(PATIENCE)
                                .until(() -> deployment.outputs().size() > before + 100);
                        process.kill();
                    }
                }
                assertThat(pacer.sentCount()).isPositive();
            }
            finish(deployment);
            deployment.assertSameWithoutRepeats();
            assertThat(deployment.outputs()).anyMatch(Output::isCorrection);
            LogVerifier.Result verified = new LogVerifier(deployment.kafka(), 0, Long.MAX_VALUE, null).verify();
            assertThat(verified.mismatches()).as(verified.firstMismatch()).isZero();
            assertThat(alertIds(deployment.outputs()))
                    .isEqualTo(alertIds(deployment.offline().outputs()));
        }
    }

    private static List<Object> alertIds(List<Output> outputs) {
        return outputs.stream()
                .filter(output -> output.topic().endsWith(".alerts"))
                .map(output -> output.json().get("alert_id"))
                .distinct()
                .sorted()
                .collect(Collectors.toList());
    }

    private void finish(Deployment deployment) {
        finish(deployment, EngineConfig.defaults(data));
    }

    private void finish(Deployment deployment, EngineConfig config) {
        try (ScoringEngine engine = deployment.engine(data, config)) {
            engine.start();
            deployment.awaitScored(engine);
        }
    }

    @Test
    void shouldLoseNothingAndSetNothingAsideWhenTheBrokerIsKilledUnderLoad(@TempDir Path brokerData) throws Exception {
        try (EmbeddedKafkaProcess broker = EmbeddedKafkaProcess.start(brokerData);
                Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            deployment.activate(TestPolicy.text(1, 600));
            int sentCount;
            try (ScoringEngine engine = deployment.engine(data)) {
                engine.start();
                try (Pacer pacer = new Pacer(deployment, new TestTraffic(3))) {
                    await().atMost(PATIENCE)
                            .until(() -> engine.status().counts().scored() > 200);
                    broker.kill();
                    broker.restart();
                    long before = engine.status().counts().read();
                    await().atMost(PATIENCE)
                            .until(() -> engine.status().counts().read() > before + 200);
                    pacer.close();
                    sentCount = pacer.sentCount();
                }
                deployment.awaitScored(engine);
            }
            assertThat(deployment.log()).hasSize(sentCount + Deployment.PARTITIONS);
            deployment.assertSameWithoutRepeats();
            stopWithoutBroker(deployment, broker);
        }
    }

    private void stopWithoutBroker(Deployment deployment, EmbeddedKafkaProcess broker) {
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
            broker.kill();
            engine.close();
            assertThat(engine.status().state()).isEqualTo(ServiceState.STOPPED);
        }
    }

    @Test
    void shouldGoOnFromTheCheckpointWhenItsStateIsGone(EmbeddedKafka broker) throws Exception {
        scoreDisturbedBy(
                broker, checkpointingEachSecond().build(), () -> Checkpoints.deleteTree(data.resolve("state")));
    }

    @Test
    void shouldGoOnFromTheCheckpointWhenItsStateIsDamaged(EmbeddedKafka broker) throws Exception {
        scoreDisturbedBy(broker, checkpointingEachSecond().build(), () -> {
            for (int partition = 0; partition < Deployment.PARTITIONS; partition++) {
                Files.writeString(data.resolve("state/" + partition + "/CURRENT"), "nonsense");
            }
        });
    }

    @Test
    void shouldGoOnFromTheCheckpointInS3WhenItsStateIsGone(EmbeddedKafka broker) throws Exception {
        try (S3Server server = S3Server.start()) {
            EngineConfig config = checkpointingEachSecond()
                    .checkpointIn(server.bucket("vigil/checkpoints"))
                    .build();
            scoreDisturbedBy(broker, config, () -> Checkpoints.deleteTree(data.resolve("state")));
        }
        assertThat(data.resolve("checkpoints")).doesNotExist();
    }

    @Test
    void shouldGoBackToTheCheckpointWhenATableTurnsOutToBeDamaged(EmbeddedKafka broker) throws Exception {
        EngineConfig config = checkpointingEachSecond().build();
        TestTraffic traffic = new TestTraffic(7);
        try (Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            deployment.activate(TestPolicy.text(1, 600));
            deployment.send(traffic.next(600));
            scoreUntilCheckpointed(deployment, config);
            Path damaged = Damage.anyFile(data.resolve("state/0"), name -> name.endsWith(".sst"), new Random(7))
                    .orElseThrow();
            Damage.flipBit(damaged, new Random(7));
            try (ScoringEngine engine = deployment.engine(data, config);
                    Pacer pacer = new Pacer(deployment, traffic)) {
                engine.start();
                await().atMost(PATIENCE).until(() -> Files.isDirectory(data.resolve("state/0.damaged")));
                pacer.close();
                deployment.awaitScored(engine);
                assertThat(engine.status().counts().addUp()).isTrue();
            }
            deployment.assertSameWithoutRepeats();
        }
    }

    private interface Loss {
        void happen() throws IOException;
    }

    private void scoreUntilCheckpointed(Deployment deployment, EngineConfig config) {
        try (ScoringEngine engine = deployment.engine(data, config)) {
            engine.start();
            deployment.awaitScored(engine);
            await().atMost(PATIENCE)
                    .until(() -> engine.status().partitions().stream().allMatch(EngineCrashIT::isCheckpointedWhole));
        }
    }

    /** Not only what was scored when the first checkpoint was due, on a machine that is busy with other things. */
    private static boolean isCheckpointedWhole(PartitionStatus partition) {
        Long offset = partition.checkpointOffset();
        return offset != null && offset == partition.nextOffset();
    }

    private void scoreDisturbedBy(EmbeddedKafka broker, EngineConfig config, Loss loss) throws Exception {
        TestTraffic traffic = new TestTraffic(4);
        try (Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            deployment.activate(TestPolicy.text(1, 600));
            deployment.send(traffic.next(600));
            scoreUntilCheckpointed(deployment, config);
            deployment.send(traffic.next(300));
            finish(deployment, config);
            loss.happen();
            int before = deployment.outputs().size();
            deployment.send(traffic.next(300));
            finish(deployment, config);
            deployment.assertSameWithoutRepeats();
            assertThat(deployment.outputs().size() - before)
                    .as("outputs since, which is not everything again")
                    .isLessThan(before);
            try (TaskStores stores = new TaskStores(data.resolve("state"), config)) {
                assertThat(stores.checkpoints(0).complete()).isNotEmpty();
            }
        }
    }

    private TestConfigs checkpointingEachSecond() {
        return TestConfigs.of(data).checkpointEach(Duration.ofSeconds(1));
    }
}
