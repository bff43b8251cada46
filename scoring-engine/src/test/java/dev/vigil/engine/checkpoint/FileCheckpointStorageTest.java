package dev.vigil.engine.checkpoint;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileCheckpointStorageTest extends CheckpointStorageContract {
    @TempDir
    private Path directory;

    @Override
    protected CheckpointStorage storage() {
        return new FileCheckpointStorage(directory.resolve("1"));
    }

    @Override
    protected CheckpointStorage sibling() {
        return new FileCheckpointStorage(directory.resolve("11"));
    }
}
