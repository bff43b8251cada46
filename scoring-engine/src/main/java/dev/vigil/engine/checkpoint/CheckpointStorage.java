package dev.vigil.engine.checkpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Where checkpoints of one task are kept, addressed by paths with forward slashes. What was put is seen by every later
 * read and list, of whichever process. Every method throws {@link IOException} if the storage cannot be reached or
 * refuses; the caller tries again later.
 */
public interface CheckpointStorage {
    /** Copies a local file there; it is there as a whole afterwards, or not at all if this throws. Replaces. */
    void put(Path local, String path) throws IOException;

    /** As {@link #put(Path, String)}. */
    void putBytes(byte[] bytes, String path) throws IOException;

    /** @throws java.nio.file.NoSuchFileException if it is not there */
    void fetch(String path, Path local) throws IOException;

    /** @throws java.nio.file.NoSuchFileException if it is not there */
    byte[] read(String path) throws IOException;

    /** Paths of all files below a folder, sorted; empty if there is no such folder; {@code ""} is the task's own. */
    List<String> list(String folder) throws IOException;

    /** No error if it is not there. */
    void delete(String path) throws IOException;
}
