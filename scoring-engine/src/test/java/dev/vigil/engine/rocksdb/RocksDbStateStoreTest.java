package dev.vigil.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.StateStore;
import dev.vigil.service.ServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksDbStateStoreTest extends StateStoreContract {
    @TempDir
    private Path directory;

    private final RocksDbResources resources = new RocksDbResources(1 << 20, 1 << 20);

    @Override
    StateStore open() throws Exception {
        return RocksDbStateStore.open(directory.resolve("contract"), resources);
    }

    @AfterEach
    void closeResources() {
        resources.close();
    }

    private void write(String value) throws Exception {
        try (RocksDbStateStore store = RocksDbStateStore.open(directory.resolve("s"), resources)) {
            StateBatch step = new StateBatch();
            step.put(bytes("key"), bytes(value));
            store.write(step);
            store.copyTo(directory.resolve("copy-" + value)); // makes it write a file
        }
    }

    @Test
    void shouldHoldAfterReopeningWhatWasWritten() throws Exception {
        write("1");
        try (RocksDbStateStore store = RocksDbStateStore.open(directory.resolve("s"), resources)) {
            assertThat(store.get(bytes("key"))).isEqualTo(bytes("1"));
        }
    }

    @Test
    void shouldCopyTheStateOfItsMoment() throws Exception {
        write("1");
        write("2");
        try (RocksDbStateStore copy = RocksDbStateStore.openReadOnly(directory.resolve("copy-1"), resources)) {
            assertThat(copy.get(bytes("key"))).isEqualTo(bytes("1"));
        }
    }

    @Test
    void shouldRefuseDamagedFiles() throws Exception {
        write("1");
        Files.writeString(directory.resolve("s/CURRENT"), "nonsense");
        assertThatThrownBy(() -> RocksDbStateStore.open(directory.resolve("s"), resources))
                .isInstanceOf(CorruptStoreException.class);
    }

    @Test
    void shouldNotStartEmptyWhereItsFirstFileIsMissing() throws Exception {
        write("1");
        Files.delete(directory.resolve("s/CURRENT"));
        assertThatThrownBy(() -> RocksDbStateStore.open(directory.resolve("s"), resources))
                .isInstanceOf(CorruptStoreException.class);
    }

    @Test
    void shouldRememberDamageThatOnlyAReadShows() throws Exception {
        write("1");
        Path table = table("s");
        byte[] content = Files.readAllBytes(table);
        content[2] ^= 0x55;
        Files.write(table, content);
        try (RocksDbStateStore store = RocksDbStateStore.open(directory.resolve("s"), resources)) {
            assertThatThrownBy(() -> store.get(bytes("key"))).isInstanceOf(StateAccessException.class);
        }
        assertThatThrownBy(() -> RocksDbStateStore.open(directory.resolve("s"), resources))
                .isInstanceOf(CorruptStoreException.class);
    }

    @Test
    void shouldReleaseItsNativeMemoryWhenClosed() throws Exception {
        for (int i = 0; i < 20; i++) {
            RocksDbStateStore store = RocksDbStateStore.open(directory.resolve("s"), resources);
            assertThat(store.isReleased()).isFalse();
            store.close();
            assertThat(store.isReleased()).isTrue();
        }
        resources.close();
        assertThat(resources.isReleased()).isTrue();
    }

    @Test
    void shouldRefuseToBeUsedOnceItIsClosed() throws Exception {
        RocksDbStateStore store = RocksDbStateStore.open(directory.resolve("s"), resources);
        store.close();
        assertThatThrownBy(() -> store.write(new StateBatch())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.get(bytes("key"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.copyTo(directory.resolve("copy"))).isInstanceOf(IllegalStateException.class);
        store.close();
    }

    @Test
    void shouldFindDamageInATableThatNobodyReads() throws Exception {
        write("1");
        Path table = table("copy-1");
        RocksDbStateStore.verifyTable(table);
        byte[] content = Files.readAllBytes(table);
        for (int i = 0; i < content.length - 60; i += 7) { // up to the footer
            byte[] damaged = content.clone();
            damaged[i] ^= 0x10;
            Files.write(table, damaged);
            assertThatThrownBy(() -> RocksDbStateStore.verifyTable(table))
                    .as("byte %d", i)
                    .isInstanceOf(CorruptStoreException.class);
        }
    }

    @Test
    void shouldWriteNoMoreAndRefuseToOpenOnceItIsCondemned() throws Exception {
        try (RocksDbStateStore store = RocksDbStateStore.open(directory.resolve("s"), resources)) {
            store.condemn("a bad table");
            assertThatThrownBy(() -> store.write(new StateBatch()))
                    .isInstanceOf(StateAccessException.class)
                    .hasMessageContaining("a bad table");
        }
        assertThatThrownBy(() -> RocksDbStateStore.open(directory.resolve("s"), resources))
                .isInstanceOf(CorruptStoreException.class);
    }

    private Path table(String folder) throws Exception {
        try (Stream<Path> files = Files.list(directory.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".sst"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void shouldNotTakeAStoreThatIsInUseForADamagedOne() throws Exception {
        try (RocksDbStateStore used = RocksDbStateStore.open(directory.resolve("s"), resources)) {
            assertThatThrownBy(() -> RocksDbStateStore.open(directory.resolve("s"), resources))
                    .isInstanceOf(StateAccessException.class);
            assertThat(used.get(bytes("key"))).isNull();
        }
    }

    @Test
    void shouldNameADirectoryThatCannotBeUsed() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "in the way");
        assertThatThrownBy(() -> RocksDbStateStore.open(file.resolve("s"), resources))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining(file.toString());
    }
}
