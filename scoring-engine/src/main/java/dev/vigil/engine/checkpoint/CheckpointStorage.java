package dev.vigil.engine.checkpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where checkpoints of one task are kept, addressed by paths with forward slashes. One writer at a time. */
public interface CheckpointStorage {
    /** Copies a local file there; it is there as a whole afterwards, or not at all if this throws. */
    void put(Path local, String path) throws IOException;

    void putBytes(byte[] bytes, String path) throws IOException;

    /** @throws java.nio.file.NoSuchFileException if it is not there */
    void fetch(String path, Path local) throws IOException;

    byte[] read(String path) throws IOException;

    /** Paths of all files below a folder, sorted; empty if there is no such folder. */
    List<String> list(String folder) throws IOException;

    /** No error if it is not there. */
    void delete(String path) throws IOException;
}
