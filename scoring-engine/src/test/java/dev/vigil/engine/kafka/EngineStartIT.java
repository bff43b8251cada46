package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.engine.EngineConfig;
import dev.vigil.engine.TaskStores;
import dev.vigil.engine.checkpoint.Checkpoints;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.service.ServiceException;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What an engine refuses to start or to go on with, and what it says then. */
@ExtendWith(TestBroker.class)
class EngineStartIT {
    @TempDir
    private Path data;

    private Deployment deployment;
    private final TestTraffic traffic = new TestTraffic(6);

    @BeforeEach
    void createTopics(EmbeddedKafka broker) {
        deployment = Deployment.on(broker.bootstrapServers());
    }

    @AfterEach
    void closeClients() {
        deployment.close();
    }

    private void score(int records) {
        deployment.activate(TestPolicy.text(1, 600));
        deployment.send(traffic.next(records));
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
        }
    }

    private String problemOnStart(EngineConfig config) {
        try (ScoringEngine engine = deployment.engine(data, config)) {
            engine.start();
            String problem = Deployment.awaitProblem(engine);
            assertThat(engine.status().state()).isEqualTo(ServiceState.FAILED);
            assertThat(problem).doesNotContain("\n");
            return problem;
        }
    }

    private void recreateLog() throws Exception {
        String log = deployment.kafka().topics().events();
        deployment.admin().deleteTopics(List.of(log)).all().get();
        org.awaitility.Awaitility.await()
                .until(() -> !deployment.admin().listTopics().names().get().contains(log));
        assertThat(deployment.topicId()).isNotEmpty();
    }

    @Test
    void shouldRefuseALogThatWasDeletedAndCreatedAgain() throws Exception {
        score(50);
        String before = deployment.topicId();
        recreateLog();
        deployment.send(traffic.next(200));
        assertThat(problemOnStart(EngineConfig.defaults(data)))
                .contains(before)
                .contains(deployment.topicId())
                .contains("was deleted and created again")
                .contains("start with an empty state directory and without the checkpoints");
        Checkpoints.deleteTree(data.resolve("state"));
        Checkpoints.deleteTree(data.resolve("checkpoints"));
        deployment.activate(TestPolicy.text(1, 600));
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
            assertThat(engine.status().counts().read())
                    .isEqualTo(deployment.log().size());
        }
    }

    @Test
    void shouldStopWhenTheLogIsDeletedAndCreatedAgainBeneathIt() throws Exception {
        deployment.activate(TestPolicy.text(1, 600));
        deployment.send(traffic.next(50));
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
            recreateLog();
            deployment.send(traffic.next(200));
            assertThat(Deployment.awaitProblem(engine)).contains("was deleted and created again");
        }
    }

    @Test
    void shouldRefuseALogThatIsShorterThanItsState() {
        score(50);
        try (TaskStores stores = new TaskStores(data.resolve("state"), EngineConfig.defaults(data));
                RocksDbStateStore store = stores.open(0, stores.checkpoints(0))) {
            TaskState state = TaskState.load(store);
            state.passed(999, TaskState.End.SCORED);
            StateBatch batch = new StateBatch();
            state.collect(batch);
            store.write(batch);
        }
        assertThat(problemOnStart(EngineConfig.defaults(data)))
                .contains("partition 0: the state is at offset 1000, but the log ends at ")
                .contains("start with an empty state directory and without the checkpoints");
    }

    @Test
    void shouldNameTheGapWhenTheLogNoLongerReachesBack() throws Exception {
        score(50);
        long next = deployment.offline().counts(1).nextOffset();
        deployment.send(traffic.next(200));
        deleteBefore(1, next + 20);
        assertThat(problemOnStart(EngineConfig.defaults(data)))
                .contains("partition 1: the state is at offset " + next + ", but the log begins at " + (next + 20)
                        + ": 20 records are missing")
                .contains("scoring.accept-gap: true");
    }

    @Test
    void shouldGoOnBehindAGapThatIsAccepted() throws Exception {
        score(50);
        long next = deployment.offline().counts(1).nextOffset();
        deployment.send(traffic.next(200));
        deleteBefore(1, next + 20);
        EngineConfig accepting = TestConfigs.of(data).acceptGap().build();
        try (ScoringEngine engine = deployment.engine(data, accepting)) {
            engine.start();
            deployment.awaitScored(engine);
            assertThat(engine.status().counts().addUp()).isTrue();
        }
    }

    @Test
    void shouldScoreBehindAGapByThePolicyThatTheLogHasForgotten() throws Exception {
        deployment.activate(TestPolicy.text(1, 600));
        deployment.send(traffic.next(200));
        deleteBefore(0, 20);
        deleteBefore(1, 20);
        EngineConfig accepting = TestConfigs.of(data).acceptGap().build();
        try (ScoringEngine engine = deployment.engine(data, accepting)) {
            engine.start();
            deployment.awaitScored(engine);
            assertThat(engine.status().policyVersion()).isEqualTo(1);
            assertThat(engine.status().counts().scored()).isGreaterThan(100);
        }
    }

    private void deleteBefore(int partition, long offset) throws Exception {
        TopicPartition log = new TopicPartition(deployment.kafka().topics().events(), partition);
        deployment
                .admin()
                .deleteRecords(Map.of(log, RecordsToDelete.beforeOffset(offset)))
                .all()
                .get();
    }

    @Test
    void shouldRefuseAnotherPartitionCountThanConfigured() {
        var other = Deployment.config(
                deployment.kafka().bootstrapServers(),
                deployment.kafka().topics().prefix(),
                3);
        try (ScoringEngine engine = new ScoringEngine(
                other, EngineConfig.defaults(data), data, System::currentTimeMillis, new SimpleMeterRegistry())) {
            assertThatThrownBy(engine::start)
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("expected 3 partitions as configured (kafka.partitions), found 2");
            assertThat(engine.status().state()).isEqualTo(ServiceState.FAILED);
        }
    }

    @Test
    void shouldStopWhenTheLogGetsMorePartitionsBeneathIt() throws Exception {
        deployment.activate(TestPolicy.text(1, 600));
        EngineConfig config =
                TestConfigs.of(data).checkpointEach(Duration.ofSeconds(1)).build();
        try (ScoringEngine engine = deployment.engine(data, config)) {
            engine.start();
            deployment.awaitScored(engine);
            String log = deployment.kafka().topics().events();
            deployment
                    .admin()
                    .createPartitions(Map.of(log, NewPartitions.increaseTo(3)))
                    .all()
                    .get();
            assertThat(Deployment.awaitProblem(engine))
                    .contains("topic " + log + ": expected 2 partitions")
                    .contains("found 3")
                    .contains("docs/deployment.md");
        }
        assertThatThrownBy(() -> deployment.topicId())
                .hasMessageContaining("expected 2 partitions as configured (kafka.partitions), found 3");
    }

    @Test
    void shouldRefuseADataDirectoryThatCannotBeWritten() throws Exception {
        Path file = Files.writeString(data.resolve("file"), "in the way");
        try (ScoringEngine engine = deployment.engine(file.resolve("data"))) {
            assertThatThrownBy(engine::start)
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining(file.toString())
                    .message()
                    .doesNotContain("\n");
        }
    }
}
