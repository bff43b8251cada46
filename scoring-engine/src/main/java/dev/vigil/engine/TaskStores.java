package dev.vigil.engine;

import dev.vigil.engine.checkpoint.CheckpointManifest;
import dev.vigil.engine.checkpoint.Checkpoints;
import dev.vigil.engine.checkpoint.FileCheckpointStorage;
import dev.vigil.engine.rocksdb.CorruptStoreException;
import dev.vigil.engine.rocksdb.RocksDbResources;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    /** @throws ServiceException if there is state that cannot be used, local and in checkpoints */
    public RocksDbStateStore open(int partition) {
        try {
            return openNewest(partition, checkpoints(partition));
        } catch (IOException e) {
            throw new ServiceException("state of partition " + partition + ": " + e, e);
        }
    }

    private RocksDbStateStore openNewest(int partition, Checkpoints checkpoints) throws IOException {
        Path local = directory(partition);
        List<CheckpointManifest> manifests = checkpoints.complete();
        long checkpointOffset = manifests.isEmpty() ? 0 : manifests.get(0).nextOffset();
        if (Files.isDirectory(local)) {
            RocksDbStateStore store = openLocal(partition, local);
            if (store != null) {
                long localOffset = TaskState.load(store).nextOffset();
                if (localOffset >= checkpointOffset) {
                    LOG.info("partition {}: state from {} at offset {}", partition, local, localOffset);
                    return store;
                }
                LOG.info(
                        "partition {}: local state at offset {} is behind the checkpoint at {}",
                        partition,
                        localOffset,
                        checkpointOffset);
                store.close();
            }
            Checkpoints.deleteTree(local);
        }
        return restore(partition, local, checkpoints);
    }

    private @Nullable RocksDbStateStore openLocal(int partition, Path local) {
        try {
            return RocksDbStateStore.open(local, resources);
        } catch (CorruptStoreException e) {
            LOG.warn("partition {}: {}; going back to a checkpoint, or to the log's start", partition, e.getMessage());
            return null;
        }
    }

    private RocksDbStateStore restore(int partition, Path local, Checkpoints checkpoints) throws IOException {
        Path partial = local.resolveSibling(local.getFileName() + ".restore");
        Checkpoints.deleteTree(partial);
        Optional<CheckpointManifest> restored = checkpoints.restore(partial);
        if (restored.isPresent()) {
            Files.move(partial, local);
            LOG.info(
                    "partition {}: state from checkpoint {} at offset {}",
                    partition,
                    restored.get().number(),
                    restored.get().nextOffset());
        } else {
            LOG.info("partition {}: no state and no checkpoint; scoring the log from its start", partition);
        }
        try {
            return RocksDbStateStore.open(local, resources);
        } catch (CorruptStoreException e) {
            throw new ServiceException("partition " + partition + ": " + e.getMessage(), e);
        }
    }

    /** Copies a task's state as some step left it; quick, since most of it is links. Not beside the store's closing. */
    public Path copy(int partition, RocksDbStateStore store) throws IOException {
        Path copy = directory(partition).resolveSibling(partition + ".checkpoint");
        Checkpoints.deleteTree(copy);
        Files.createDirectories(stateDirectory);
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
            return checkpoints.write(copy, topicId, partition, positionOf(copy), nowMs);
        } finally {
            Checkpoints.deleteTree(copy);
        }
    }

    private long positionOf(Path copy) throws IOException {
        // Opening it would write into it, so a second copy is looked at; its files are links.
        Path look = copy.resolveSibling(copy.getFileName() + ".look");
        Checkpoints.deleteTree(look);
        Files.createDirectories(look);
        try (java.util.stream.Stream<Path> files = Files.list(copy)) {
            for (Path file : files.toList()) {
                if (file.toString().endsWith(".sst")) {
                    Files.createLink(look.resolve(file.getFileName()), file);
                } else {
                    Files.copy(file, look.resolve(file.getFileName()));
                }
            }
        }
        try (RocksDbStateStore state = RocksDbStateStore.open(look, resources)) {
            return TaskState.load(state).nextOffset();
        } catch (CorruptStoreException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            Checkpoints.deleteTree(look);
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
