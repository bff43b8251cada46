package dev.vigil.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.engine.StateFixture;
import dev.vigil.engine.rocksdb.RocksDbResources;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.event.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointsTest {
    private static final int RETAIN = 3;

    @TempDir
    private Path directory;

    private final RocksDbResources resources = new RocksDbResources(1 << 20, 4 << 20);
    private FileCheckpointStorage storage;
    private Checkpoints checkpoints;

    @org.junit.jupiter.api.BeforeEach
    void openStorage() {
        storage = new FileCheckpointStorage(directory.resolve("storage"));
        checkpoints = new Checkpoints(storage, RETAIN);
    }

    @AfterEach
    void closeResources() {
        resources.close();
    }

    private RocksDbStateStore openStore() throws Exception {
        return RocksDbStateStore.open(directory.resolve("state"), resources);
    }

    private CheckpointManifest write(RocksDbStateStore store, long offset) throws IOException {
        StateFixture.advance(store, offset);
        Path copy = directory.resolve("copy");
        Checkpoints.deleteTree(copy);
        store.copyTo(copy);
        return checkpoints.write(copy, StateFixture.TOPIC_ID, 0, offset, 1);
    }

    private long restoredOffset(Path restored) throws Exception {
        try (RocksDbStateStore store = RocksDbStateStore.open(restored, resources)) {
            return StateFixture.verifiedOffset(store);
        }
    }

    @Test
    void shouldShareFilesKeepAFewCheckpointsAndRestoreEachOfThem() throws Exception {
        try (RocksDbStateStore store = openStore()) {
            for (int i = 1; i <= 30; i++) {
                write(store, i * 10L);
                assertThat(checkpoints.complete()).hasSize(Math.min(i, RETAIN));
                long named = checkpoints.complete().stream()
                        .flatMap(manifest -> manifest.files().stream())
                        .map(CheckpointManifest.StoredFile::path)
                        .distinct()
                        .count();
                assertThat(storage.list(""))
                        .hasSize((int) named + checkpoints.complete().size() + 1); // and the owner's name
            }
        }
        List<CheckpointManifest> kept = checkpoints.complete();
        assertThat(kept).extracting(CheckpointManifest::nextOffset).containsExactly(300L, 290L, 280L);
        assertThat(kept.get(1).files()).anyMatch(kept.get(0).files()::contains);
        for (CheckpointManifest manifest : kept) {
            Path restored = directory.resolve("restored");
            assertThat(restore(restored)).contains(manifest);
            assertThat(restoredOffset(restored)).isEqualTo(manifest.nextOffset());
            forget(manifest);
        }
    }

    private void forget(CheckpointManifest manifest) throws IOException {
        for (String path : storage.list("")) {
            if (path.endsWith("manifest.json")
                    && new String(storage.read(path), java.nio.charset.StandardCharsets.UTF_8)
                            .contains("\"number\":" + manifest.number() + ",")) {
                storage.delete(path);
            }
        }
    }

    @Test
    void shouldIgnoreAnUploadThatWasNotFinishedAndClearItAway() throws Exception {
        try (RocksDbStateStore store = openStore()) {
            write(store, 10);
            Path file = Files.writeString(directory.resolve("some"), "half of a checkpoint");
            storage.put(file, "checkpoint-half/CURRENT");
            storage.put(file, "sst/half");
            Files.writeString(directory.resolve("storage/sst/cut.partial"), "cut");
            assertThat(restored()).map(CheckpointManifest::nextOffset).contains(10L);
            write(store, 20);
            assertThat(storage.list("")).noneMatch(path -> path.contains("half") || path.contains("cut"));
        }
    }

    @Test
    void shouldFindADamagedFileAndAMissingOne() throws Exception {
        CheckpointManifest older;
        CheckpointManifest newer;
        try (RocksDbStateStore store = openStore()) {
            older = write(store, 10);
            newer = write(store, 20);
        }
        String ownFile = newer.files().stream()
                .filter(file -> file.name().startsWith("MANIFEST"))
                .findFirst()
                .orElseThrow()
                .path();
        byte[] content = storage.read(ownFile);
        content[content.length - 1] ^= 1;
        storage.putBytes(content, ownFile);
        assertThat(restored()).contains(older);
        assertThat(checkpoints.complete()).containsExactly(older);
        storage.delete(older.files().get(0).path());
        assertThat(restored()).isEmpty();
        assertThat(checkpoints.damagedCount()).isEqualTo(2);
    }

    @Test
    void shouldKeepTheNewCheckpointRatherThanADamagedOneFurtherOn() throws Exception {
        checkpoints = new Checkpoints(storage, 1);
        CheckpointManifest damaged;
        try (RocksDbStateStore store = openStore()) {
            damaged = write(store, 500);
        }
        storage.delete(damaged.files().get(0).path());
        assertThat(restored()).isEmpty();
        Checkpoints.deleteTree(directory.resolve("state"));
        try (RocksDbStateStore store = openStore()) {
            CheckpointManifest again = write(store, 100);
            assertThat(restored()).contains(again);
            assertThat(checkpoints.damagedCount()).isZero();
        }
    }

    @Test
    void shouldPublishAndRemoveNothingOnceSomebodyElseHasClaimedTheStorage() throws Exception {
        Path copy = Files.createDirectories(directory.resolve("copy"));
        Files.writeString(copy.resolve("CURRENT"), "state");
        CheckpointManifest before = checkpoints.write(copy, StateFixture.TOPIC_ID, 0, 100, 1);
        Checkpoints owner = new Checkpoints(storage, 1);
        owner.claim();
        List<String> paths = storage.list("");
        assertThatThrownBy(() -> checkpoints.write(copy, StateFixture.TOPIC_ID, 0, 200, 2))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("taken over");
        assertThat(storage.list("")).isEqualTo(paths);
        assertThat(owner.complete()).containsExactly(before);
        CheckpointManifest after = owner.write(copy, StateFixture.TOPIC_ID, 0, 150, 3);
        assertThat(owner.complete()).containsExactly(after);
    }

    @Test
    void shouldLeaveNothingOfAnUploadThatFails() throws Exception {
        Path copy = Files.createDirectories(directory.resolve("copy"));
        Files.writeString(copy.resolve("CURRENT"), "state");
        checkpoints.claim();
        Files.createDirectory(copy.resolve("MANIFEST-1")); // cannot be read as a file
        assertThatThrownBy(() -> checkpoints.write(copy, StateFixture.TOPIC_ID, 0, 100, 1))
                .isInstanceOf(IOException.class);
        assertThat(storage.list("")).containsExactly("owner");
    }

    private Optional<CheckpointManifest> restored() throws IOException {
        return restore(directory.resolve("restored"));
    }

    private Optional<CheckpointManifest> restore(Path target) throws IOException {
        return checkpoints
                .restoreBeyond(-1, target, (state, manifest) -> Optional.empty())
                .map(Checkpoints.Restored::manifest);
    }

    @Test
    void shouldPreferThePositionToTheNumber() throws Exception {
        Path copy = Files.createDirectories(directory.resolve("copy"));
        Files.writeString(copy.resolve("CURRENT"), "state");
        checkpoints.write(copy, StateFixture.TOPIC_ID, 0, 500, 1);
        checkpoints.write(copy, StateFixture.TOPIC_ID, 0, 400, 2); // by a task that had lost its partition
        assertThat(checkpoints.complete())
                .extracting(CheckpointManifest::nextOffset)
                .containsExactly(500L, 400L);
    }

    @Test
    void shouldCompleteNoCheckpointOverAFileThatSomebodyElseRemoved() throws Exception {
        try (RocksDbStateStore store = openStore()) {
            CheckpointManifest first = write(store, 10);
            storage.delete(first.files().stream()
                    .filter(file -> file.name().endsWith(".sst"))
                    .findFirst()
                    .orElseThrow()
                    .path());
            assertThatThrownBy(() -> write(store, 20)).hasMessageContaining("removed from checkpoint storage");
            assertThat(checkpoints.complete()).containsExactly(first);
            write(store, 30);
        }
        assertThat(restored()).map(CheckpointManifest::nextOffset).contains(30L);
    }

    @Test
    void shouldTakeASoundStateWhereverABitOfTheNewestManifestHasFlipped() throws Exception {
        Path copy = Files.createDirectories(directory.resolve("copy"));
        for (long offset : new long[] {10, 20}) {
            Files.writeString(copy.resolve("CURRENT"), Long.toString(offset));
            checkpoints.write(copy, StateFixture.TOPIC_ID, 0, offset, 1);
        }
        String path = storage.list("").stream()
                .filter(StoredCheckpoints::isManifest)
                .max(Comparator.comparing(this::offset))
                .orElseThrow();
        String damaged = path.replace("manifest.json", "DAMAGED");
        byte[] sound = storage.read(path);
        int format = "{\"format\":".length(); // any but 1 may be that of a newer version
        for (int bit = 0; bit < sound.length * 8; bit += 7) { // in every byte
            if (bit / 8 != format) {
                byte[] flipped = sound.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                storage.putBytes(flipped, path);
                assertThat(restoredPosition())
                        .as("bit %d: %s", bit, new String(flipped, StandardCharsets.UTF_8))
                        .isIn(10L, 20L);
                storage.delete(damaged);
            }
        }
        storage.putBytes(sound, path);
        assertThat(restoredPosition()).isEqualTo(20);
    }

    private long offset(String manifestPath) {
        try {
            return Json.decode(storage.read(manifestPath), CheckpointManifest.class)
                    .nextOffset();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of a state that is nothing but its position. */
    private long restoredPosition() throws IOException {
        Path target = directory.resolve("restored");
        Optional<Checkpoints.Restored> restored = checkpoints.restoreBeyond(-1, target, (state, manifest) -> {
            Path current = state.resolve("CURRENT");
            boolean sound =
                    Files.exists(current) && Files.readString(current).equals(Long.toString(manifest.nextOffset()));
            return sound ? Optional.empty() : Optional.of("not the state that its manifest names");
        });
        assertThat(restored).isPresent();
        return Long.parseLong(Files.readString(target.resolve("CURRENT")));
    }

    @Test
    void shouldRefuseAFormatOfANewerVersion() throws Exception {
        storage.putBytes(
                "{\"format\":2,\"files\":[]}".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                "checkpoint-new/manifest.json");
        assertThatThrownBy(() -> checkpoints.complete())
                .hasMessageContaining("has format 2, this version reads format 1");
    }
}
