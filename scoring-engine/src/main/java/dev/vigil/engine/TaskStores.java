package dev.vigil.engine;

import dev.vigil.engine.checkpoint.CheckpointManifest;
import dev.vigil.engine.checkpoint.Checkpoints;
import dev.vigil.engine.checkpoint.FileCheckpointStorage;
import dev.vigil.engine.rocksdb.CorruptStoreException;
import dev.vigil.engine.rocksdb.RocksDbResources;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.engine.rocksdb.StateAccessException;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the state of a task: what is on the local disk, or the newest checkpoint if that is damaged, missing or behind;
 * and says which. Never starts empty where a checkpoint exists. Safe for any thread; a partition by one at a time.
 */
public final class TaskStores implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskStores.class);
    private static final long NO_STATE = -1;

    private final Path stateDirectory;
    private final EngineConfig config;
    private final RocksDbResources resources;

    public TaskStores(Path stateDirectory, EngineConfig config) {
        this.stateDirectory = stateDirectory;
        this.config = config;
        this.resources = new RocksDbResources(config.blockCacheBytes(), config.writeBufferBytes());
    }

    /** The checkpoints of a partition. */
    public Checkpoints checkpoints(int partition) {
        Path directory = config.checkpointDirectory().resolve(Integer.toString(partition));
        return new Checkpoints(new FileCheckpointStorage(directory), config.checkpointRetain());
    }

    /**
     * @throws ServiceException if there is state that cannot be used, local and in checkpoints
     * @throws StateAccessException if it cannot be opened now, but perhaps later
     */
    public RocksDbStateStore open(int partition) {
        try {
            return openNewest(partition, directory(partition), checkpoints(partition));
        } catch (CorruptStoreException e) {
            throw new ServiceException("partition " + partition + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ServiceException("state of partition " + partition + ": " + e, e);
        }
    }

    private RocksDbStateStore openNewest(int partition, Path local, Checkpoints checkpoints)
            throws IOException, CorruptStoreException {
        RocksDbStateStore store = openLocal(partition, local);
        long localOffset = store == null ? NO_STATE : TaskState.load(store).nextOffset();
        Path restored = local.resolveSibling(partition + ".restored");
        Optional<CheckpointManifest> checkpoint;
        try {
            checkpoint = checkpoints.restoreBeyond(localOffset, restored);
        } catch (IOException | RuntimeException e) {
            if (store != null) {
                store.close();
            }
            throw e;
        }
        if (checkpoint.isPresent()) {
            if (store != null) {
                store.close();
            }
            Checkpoints.deleteTree(local);
            Files.move(restored, local);
            LOG.info(
                    "partition {}: state from checkpoint {} at offset {}, local state {}",
                    partition,
                    checkpoint.get().number(),
                    checkpoint.get().nextOffset(),
                    store == null ? "missing or damaged" : "behind at offset " + localOffset);
            return RocksDbStateStore.open(local, resources);
        }
        if (store == null) {
            LOG.info("partition {}: no state and no checkpoint; scoring the log from its start", partition);
            return RocksDbStateStore.open(local, resources);
        }
        LOG.info("partition {}: state from {} at offset {}", partition, local, localOffset);
        return store;
    }

    private @Nullable RocksDbStateStore openLocal(int partition, Path local) throws IOException {
        if (!Files.isDirectory(local)) {
            return null;
        }
        try {
            return RocksDbStateStore.open(local, resources);
        } catch (CorruptStoreException e) {
            LOG.warn("partition {}: {}; going back to a checkpoint, or to the log's start", partition, e.getMessage());
            Path aside = local.resolveSibling(partition + ".damaged");
            Checkpoints.deleteTree(aside);
            Files.move(local, aside);
            return null;
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
     */
    public CheckpointManifest upload(Path copy, int partition, String topicId, Checkpoints checkpoints, long nowMs)
            throws IOException {
        try {
            return checkpoints.write(copy, topicId, partition, verifiedPosition(copy, checkpoints), nowMs);
        } finally {
            Checkpoints.deleteTree(copy);
        }
    }

    /**
     * Position of a copy. Before the first upload of a run every file is checked: what this process did not write itself may
     * be damaged, and a damaged state must not become the newest checkpoint.
     */
    private long verifiedPosition(Path copy, Checkpoints checkpoints) throws IOException {
        try (RocksDbStateStore state = RocksDbStateStore.openReadOnly(copy, resources)) {
            if (checkpoints.isFirstOfRun()) {
                state.verify();
            }
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
        resources.close();
    }
}
