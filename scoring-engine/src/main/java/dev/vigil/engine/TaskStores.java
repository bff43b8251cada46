package dev.vigil.engine;

import dev.vigil.engine.checkpoint.CheckpointManifest;
import dev.vigil.engine.checkpoint.Checkpoints;
import dev.vigil.engine.checkpoint.Checkpoints.Restored;
import dev.vigil.engine.rocksdb.CorruptStoreException;
import dev.vigil.engine.rocksdb.RocksDbResources;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.engine.rocksdb.StateAccessException;
import dev.vigil.engine.s3.CheckpointStorages;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the state of a task: what is on the local disk, or the newest checkpoint that verifies if that is damaged, missing
 * or behind, or else nothing, so that the log is scored from its start; and says which. State that turned out to be
 * damaged is never taken twice: neither the directory nor the checkpoint that it came from. Safe for any thread; a
 * partition by one at a time.
 */
public final class TaskStores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskStores.class);
    private static final long NO_STATE = -1;
    /** In a state directory that was a checkpoint: the checkpoint's folder in the storage. */
    private static final String ORIGIN = "RESTORED-FROM";

    private final Path stateDirectory;
    private final EngineConfig config;
    private final RocksDbResources resources;
    private final CheckpointStorages storages;

    public TaskStores(Path stateDirectory, EngineConfig config) {
        this.stateDirectory = stateDirectory;
        this.config = config;
        this.resources = new RocksDbResources(config.blockCacheBytes(), config.writeBufferBytes());
        this.storages = new CheckpointStorages(config.checkpointTarget());
    }

    /** The checkpoints of a partition. */
    public Checkpoints checkpoints(int partition) {
        return new Checkpoints(storages.of(partition), config.checkpointRetain());
    }

    /**
     * Opens the newest state that there is, and keeps whoever had the partition before from publishing checkpoints.
     *
     * @param checkpoints of the partition
     * @throws ServiceException if the state directory cannot be used
     * @throws StateAccessException if state cannot be opened now, but perhaps later
     * @throws UncheckedIOException if there is no state here and checkpoint storage cannot be read now
     */
    public RocksDbStateStore open(int partition, Checkpoints checkpoints) {
        try {
            return openNewest(partition, directory(partition), checkpoints);
        } catch (CorruptStoreException e) {
            // What was new or verified a moment ago; the next attempt finds another.
            throw new UncheckedIOException(new IOException(e.getMessage(), e));
        } catch (IOException e) {
            throw new UncheckedIOException("state of partition " + partition + ": " + e, e);
        }
    }

    private RocksDbStateStore openNewest(int partition, Path local, Checkpoints checkpoints)
            throws IOException, CorruptStoreException {
        RocksDbStateStore store = openLocal(partition, local, checkpoints);
        try {
            long localOffset = store == null ? NO_STATE : TaskState.load(store).nextOffset();
            Path restored = local.resolveSibling(partition + ".restored");
            Optional<Restored> checkpoint = restoreBeyond(partition, localOffset, restored, checkpoints);
            if (checkpoint.isPresent()) {
                if (store != null) {
                    store.close();
                }
                return openRestored(partition, local, restored, checkpoint.get().manifest(), localOffset);
            }
            if (store != null) {
                LOG.info("partition {}: state from {} at offset {}", partition, local, localOffset);
                return store;
            }
        } catch (IOException | RuntimeException e) {
            if (store != null) {
                store.close();
            }
            throw e;
        }
        int damaged = checkpoints.damagedCount();
        if (damaged > 0) {
            LOG.error(
                    "partition {}: no state, and none of {} checkpoints can be used; scoring the log from its start",
                    partition,
                    damaged);
        } else {
            LOG.info("partition {}: no state and no checkpoint; scoring the log from its start", partition);
        }
        return RocksDbStateStore.open(local, resources);
    }

    private RocksDbStateStore openRestored(
            int partition, Path local, Path restored, CheckpointManifest manifest, long localOffset)
            throws IOException, CorruptStoreException {
        Checkpoints.deleteTree(local);
        Files.move(restored, local);
        LOG.info(
                "partition {}: state from checkpoint {} at offset {}, local state {}",
                partition,
                manifest.number(),
                manifest.nextOffset(),
                localOffset == NO_STATE ? "missing or damaged" : "behind at offset " + localOffset);
        return RocksDbStateStore.open(local, resources);
    }

    private @Nullable RocksDbStateStore openLocal(int partition, Path local, Checkpoints checkpoints)
            throws IOException {
        if (!Files.isDirectory(local)) {
            return null;
        }
        try {
            return RocksDbStateStore.open(local, resources);
        } catch (CorruptStoreException e) {
            LOG.warn("partition {}: {}; going back to a checkpoint, or to the log's start", partition, e.getMessage());
            Path origin = local.resolve(ORIGIN);
            if (Files.exists(origin)) {
                // Whatever bytes are left of it: it may be what is damaged.
                String folder = new String(Files.readAllBytes(origin), StandardCharsets.UTF_8);
                checkpoints.markDamaged(folder, String.valueOf(e.getMessage()));
            }
            Path aside = local.resolveSibling(partition + ".damaged");
            Checkpoints.deleteTree(aside);
            Files.move(local, aside);
            return null;
        }
    }

    /** With state at hand the storage may be out of reach: going on from there repeats outputs at most. */
    private Optional<Restored> restoreBeyond(int partition, long localOffset, Path restored, Checkpoints checkpoints)
            throws IOException {
        try {
            checkpoints.claim();
            Optional<Restored> checkpoint = checkpoints.restoreBeyond(localOffset, restored, this::damage);
            if (checkpoint.isPresent()) {
                Files.writeString(restored.resolve(ORIGIN), checkpoint.get().folder());
            }
            return checkpoint;
        } catch (IOException e) {
            if (localOffset == NO_STATE) {
                throw e;
            }
            LOG.warn("partition {}: going on without a look at the checkpoints: {}", partition, e.toString());
            Checkpoints.deleteTree(restored);
            return Optional.empty();
        }
    }

    /** The hashes say that a state is the one that was uploaded, not that it was sound then. */
    private Optional<String> damage(Path state, CheckpointManifest manifest) {
        try (RocksDbStateStore store = RocksDbStateStore.openReadOnly(state, resources)) {
            store.verify();
            long offset = TaskState.load(store).nextOffset();
            return offset == manifest.nextOffset()
                    ? Optional.empty()
                    : Optional.of("its state is at offset " + offset + ", its manifest says " + manifest.nextOffset());
        } catch (CorruptStoreException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Copies a task's state as some step left it; quick, since most of it is links. Not beside the store's closing. */
    public Path copy(int partition, RocksDbStateStore store) throws IOException {
        Path copy = directory(partition).resolveSibling(partition + ".checkpoint");
        Checkpoints.deleteTree(copy);
        store.copyTo(copy);
        return copy;
    }

    /**
     * Uploads a copy and removes it.
     *
     * @return the checkpoint; its position is that of the copied step
     * @throws CorruptStoreException if a file that the state shares with the copy is damaged; nothing was uploaded
     */
    public CheckpointManifest upload(Path copy, int partition, String topicId, Checkpoints checkpoints, long nowMs)
            throws IOException, CorruptStoreException {
        try {
            // Each file before it goes there for the first time: a damaged state must not become the newest checkpoint.
            for (Path table : checkpoints.changedTables(copy)) {
                RocksDbStateStore.verifyTable(table);
            }
            return checkpoints.write(copy, topicId, partition, position(copy), nowMs);
        } finally {
            Checkpoints.deleteTree(copy);
        }
    }

    private long position(Path copy) throws IOException {
        try (RocksDbStateStore state = RocksDbStateStore.openReadOnly(copy, resources)) {
            return TaskState.load(state).nextOffset();
        } catch (CorruptStoreException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Path directory(int partition) {
        return stateDirectory.resolve(Integer.toString(partition));
    }

    @Override
    public void close() {
        storages.close();
        resources.close();
    }
}
