package dev.vigil.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.vigil.engine.checkpoint.CheckpointManifest;
import dev.vigil.engine.checkpoint.Checkpoints;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class TaskStoresTest {
    @TempDir
    private Path data;

    private TaskStores stores;
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.vigil.engine");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void openStores() {
        stores = new TaskStores(data.resolve("state"), EngineConfig.defaults(data));
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void closeStores() {
        stores.close();
        logger.detachAppender(log);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    private List<String> said() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private Path local() {
        return data.resolve("state/0");
    }

    /** Scores to an offset and checkpoints there. */
    private CheckpointManifest checkpointAt(long offset) throws IOException {
        try (RocksDbStateStore store = stores.open(0)) {
            StateFixture.advance(store, offset);
            Checkpoints checkpoints = stores.checkpoints(0);
            return stores.upload(stores.copy(0, store), 0, StateFixture.TOPIC_ID, checkpoints, 1);
        }
    }

    private void scoreTo(long offset) {
        try (RocksDbStateStore store = stores.open(0)) {
            StateFixture.advance(store, offset);
        }
    }

    private long opensAt() {
        try (RocksDbStateStore store = stores.open(0)) {
            return StateFixture.verifiedOffset(store);
        }
    }

    private void damageLocal() throws IOException {
        Files.writeString(local().resolve("CURRENT"), "nonsense");
    }

    private void damage(CheckpointManifest checkpoint) throws IOException {
        for (CheckpointManifest.StoredFile file : checkpoint.files()) {
            if (!file.name().endsWith(".sst")) {
                Path stored = data.resolve("checkpoints/0").resolve(file.path());
                Files.write(stored, new byte[(int) file.sizeBytes()]);
            }
        }
    }

    @Test
    void shouldStartAtTheLogsStartWhereThereIsNothingAndSaySo() {
        assertThat(opensAt()).isZero();
        assertThat(said()).containsExactly("partition 0: no state and no checkpoint; scoring the log from its start");
    }

    @Test
    void shouldTakeTheLocalStateWhereItIsAhead() throws Exception {
        checkpointAt(100);
        scoreTo(150);
        assertThat(opensAt()).isEqualTo(150);
    }

    @Test
    void shouldPositionACheckpointWhereItsCopyWasMade() throws Exception {
        assertThat(checkpointAt(100).nextOffset()).isEqualTo(100);
        assertThat(stores.checkpoints(0).complete()).hasSize(1);
        assertThat(data.resolve("state/0.checkpoint")).doesNotExist();
    }

    @Test
    void shouldRestoreTheNewestCheckpointWhenTheLocalStateIsGone() throws Exception {
        checkpointAt(100);
        checkpointAt(200);
        Checkpoints.deleteTree(local());
        assertThat(opensAt()).isEqualTo(200);
        assertThat(said())
                .last()
                .isEqualTo("partition 0: state from checkpoint 2 at offset 200, local state missing or damaged");
    }

    @Test
    void shouldRestoreTheNewestCheckpointWhenTheLocalStateIsDamagedAndKeepThatAside() throws Exception {
        checkpointAt(100);
        scoreTo(150);
        damageLocal();
        assertThat(opensAt()).isEqualTo(100);
        assertThat(data.resolve("state/0.damaged")).isDirectory();
    }

    @Test
    void shouldRestoreACheckpointThatSomebodyElseMadeFurtherOn() throws Exception {
        scoreTo(50);
        Files.move(local(), data.resolve("behind"));
        checkpointAt(100);
        Checkpoints.deleteTree(local());
        Files.move(data.resolve("behind"), local());
        assertThat(opensAt()).isEqualTo(100);
        assertThat(said())
                .last()
                .isEqualTo("partition 0: state from checkpoint 1 at offset 100, local state behind at offset 50");
    }

    @Test
    void shouldTakeTheCheckpointBeforeADamagedOneAndSaySo() throws Exception {
        checkpointAt(100);
        CheckpointManifest newest = checkpointAt(200);
        Checkpoints.deleteTree(local());
        damage(newest);
        assertThat(opensAt()).isEqualTo(100);
        assertThat(said())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("checkpoint 2 is damaged (")
                        .endsWith("differs from its checksum); trying the one before"));
    }

    @Test
    void shouldRefuseWhenEveryCheckpointIsDamaged() throws Exception {
        damage(checkpointAt(100));
        damage(checkpointAt(200));
        Checkpoints.deleteTree(local());
        assertThatThrownBy(() -> stores.open(0))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("all 2 checkpoints are damaged")
                .hasMessageContaining("move them away");
    }

    @Test
    void shouldRefuseWhenNoManifestCanBeRead() throws Exception {
        checkpointAt(100);
        Checkpoints.deleteTree(local());
        try (var files = Files.walk(data.resolve("checkpoints"))) {
            for (Path manifest :
                    files.filter(file -> file.endsWith("manifest.json")).toList()) {
                Files.writeString(manifest, "{\"format\":");
            }
        }
        assertThatThrownBy(() -> stores.open(0)).hasMessageContaining("all 1 checkpoints are damaged");
    }

    @Test
    void shouldGoOnWithALocalStateThatIsBehindWhenTheCheckpointsAreDamaged() throws Exception {
        scoreTo(50);
        Files.move(local(), data.resolve("behind"));
        damage(checkpointAt(100));
        Checkpoints.deleteTree(local());
        Files.move(data.resolve("behind"), local());
        assertThat(opensAt()).isEqualTo(50);
    }
}
