package dev.vigil.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.vigil.engine.checkpoint.CheckpointManifest;
import dev.vigil.engine.checkpoint.Checkpoints;
import dev.vigil.engine.rocksdb.CorruptStoreException;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.engine.rocksdb.StateAccessException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
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
    private CheckpointManifest checkpointAt(long offset) throws Exception {
        Checkpoints checkpoints = stores.checkpoints(0);
        try (RocksDbStateStore store = stores.open(0, checkpoints)) {
            StateFixture.advance(store, offset);
            return stores.upload(stores.copy(0, store), 0, StateFixture.TOPIC_ID, checkpoints, 1);
        }
    }

    private void scoreTo(long offset) {
        try (RocksDbStateStore store = stores.open(0, stores.checkpoints(0))) {
            StateFixture.advance(store, offset);
        }
    }

    private long opensAt() {
        try (RocksDbStateStore store = stores.open(0, stores.checkpoints(0))) {
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
                        .startsWith("checkpoint 2 at offset 200 is damaged (")
                        .endsWith("differs from its checksum); trying the one before"));
    }

    @Test
    void shouldNeverTakeADamagedCheckpointAgain() throws Exception {
        checkpointAt(100);
        CheckpointManifest newest = checkpointAt(200);
        Map<String, byte[]> sound = contents(newest);
        Checkpoints.deleteTree(local());
        damage(newest);
        assertThat(opensAt()).isEqualTo(100);
        for (Map.Entry<String, byte[]> file : sound.entrySet()) {
            Files.write(stored(file.getKey()), file.getValue());
        }
        Checkpoints.deleteTree(local());
        assertThat(opensAt()).isEqualTo(100);
    }

    private Path stored(String path) {
        return data.resolve("checkpoints/0").resolve(path);
    }

    private Map<String, byte[]> contents(CheckpointManifest checkpoint) throws IOException {
        Map<String, byte[]> contents = new HashMap<>();
        for (CheckpointManifest.StoredFile file : checkpoint.files()) {
            contents.put(file.path(), Files.readAllBytes(stored(file.path())));
        }
        return contents;
    }

    @Test
    void shouldScoreTheLogFromItsStartWhenEveryCheckpointIsDamagedAndSaySo() throws Exception {
        damage(checkpointAt(100));
        damage(checkpointAt(200));
        Checkpoints.deleteTree(local());
        assertThat(opensAt()).isZero();
        assertThat(said())
                .anySatisfy(line -> assertThat(line).startsWith("checkpoint 2 at offset 200 is damaged ("))
                .anySatisfy(line -> assertThat(line).startsWith("checkpoint 1 at offset 100 is damaged ("))
                .last()
                .isEqualTo(
                        "partition 0: no state, and none of 2 checkpoints can be used; scoring the log from its start");
    }

    @Test
    void shouldScoreTheLogFromItsStartWhenNoManifestCanBeRead() throws Exception {
        checkpointAt(100);
        Checkpoints.deleteTree(local());
        try (var files = Files.walk(data.resolve("checkpoints"))) {
            for (Path manifest :
                    files.filter(file -> file.endsWith("manifest.json")).toList()) {
                Files.writeString(manifest, "{\"format\":");
            }
        }
        assertThat(opensAt()).isZero();
        assertThat(said())
                .last()
                .asString()
                .contains("none of 1 checkpoints can be used; scoring the log from its start");
    }

    @Test
    void shouldNotTakeACheckpointWhoseTablesWereDamagedWhenTheyWereUploaded() throws Exception {
        checkpointAt(100);
        CheckpointManifest newest = checkpointAt(200);
        replaceTables(newest);
        Checkpoints.deleteTree(local());
        assertThat(opensAt()).isEqualTo(100);
        assertThat(said()).anySatisfy(line -> assertThat(line).startsWith("checkpoint 2 at offset 200 is damaged ("));
    }

    /** As if damaged tables of its own had been hashed and uploaded. */
    private void replaceTables(CheckpointManifest checkpoint) throws IOException {
        Path manifest = null;
        try (var files = Files.walk(data.resolve("checkpoints"))) {
            for (Path file : files.filter(f -> f.endsWith("manifest.json")).toList()) {
                if (Files.readString(file).contains("\"next_offset\":" + checkpoint.nextOffset() + ",")) {
                    manifest = file;
                }
            }
        }
        String text = Files.readString(manifest);
        for (CheckpointManifest.StoredFile file : checkpoint.files()) {
            if (file.name().endsWith(".sst")) {
                byte[] content = Files.readAllBytes(stored(file.path()));
                content[2] ^= 0x55;
                String sha256 = sha256(content);
                Files.write(stored("sst/" + sha256), content);
                text = text.replace(file.sha256(), sha256);
            }
        }
        Files.writeString(manifest, text);
    }

    private static String sha256(byte[] content) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IOException(e);
        }
    }

    @Test
    void shouldGoBackBehindTheCheckpointThatADamagedStateCameFrom() throws Exception {
        checkpointAt(100);
        checkpointAt(200);
        Checkpoints.deleteTree(local());
        assertThat(opensAt()).isEqualTo(200);
        Checkpoints checkpoints = stores.checkpoints(0);
        try (RocksDbStateStore store = stores.open(0, checkpoints)) {
            store.condemn("as a read of it showed");
            assertThatThrownBy(() -> StateFixture.advance(store, 250)).isInstanceOf(StateAccessException.class);
        }
        assertThat(opensAt()).isEqualTo(100);
    }

    @Test
    void shouldGoBackToACheckpointWhateverTheDamagedStateSaysOfItsOrigin() throws Exception {
        checkpointAt(100);
        Checkpoints.deleteTree(local());
        assertThat(opensAt()).isEqualTo(100);
        Files.write(local().resolve("RESTORED-FROM"), new byte[] {'c', (byte) 0xff, 0, '/'});
        damageLocal();
        assertThat(opensAt()).isEqualTo(100);
    }

    @Test
    void shouldUploadNoTableThatIsDamaged() throws Exception {
        Checkpoints checkpoints = stores.checkpoints(0);
        try (RocksDbStateStore store = stores.open(0, checkpoints)) {
            StateFixture.advance(store, 100);
            stores.upload(stores.copy(0, store), 0, StateFixture.TOPIC_ID, checkpoints, 1);
            StateFixture.advance(store, 200);
            Path copy = stores.copy(0, store);
            Path changed = checkpoints.changedTables(copy).get(0);
            byte[] content = Files.readAllBytes(changed);
            content[2] ^= 0x55;
            Files.write(changed, content);
            assertThatThrownBy(() -> stores.upload(copy, 0, StateFixture.TOPIC_ID, checkpoints, 1))
                    .isInstanceOf(CorruptStoreException.class)
                    .hasMessageContaining(changed.getFileName().toString());
        }
        assertThat(stores.checkpoints(0).complete())
                .extracting(CheckpointManifest::nextOffset)
                .containsExactly(100L);
    }

    @Test
    void shouldGoOnWithLocalStateWhenCheckpointStorageIsOutOfReach() throws Exception {
        scoreTo(150);
        Checkpoints.deleteTree(data.resolve("checkpoints"));
        Files.writeString(data.resolve("checkpoints"), "no directory");
        assertThat(opensAt()).isEqualTo(150);
        Checkpoints.deleteTree(local());
        assertThatThrownBy(this::opensAt).isInstanceOf(UncheckedIOException.class);
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
