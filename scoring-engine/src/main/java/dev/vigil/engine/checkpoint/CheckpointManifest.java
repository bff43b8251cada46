package dev.vigil.engine.checkpoint;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What makes a checkpoint complete; written after everything it names (docs/formats/checkpoint.md).
 *
 * @param format 1
 * @param number rises from checkpoint to checkpoint of a task
 * @param topicId of the log that the state comes from
 * @param nextOffset the state's position
 * @param createdAtMs ms since the epoch
 */
public record CheckpointManifest(
        int format,
        long number,
        String topicId,
        int partition,
        long nextOffset,
        long createdAtMs,
        List<StoredFile> files) {
    public static final int FORMAT = 1;

    public CheckpointManifest {
        files = List.copyOf(files);
    }

    /** Of all its files together. */
    long sizeBytes() {
        return files.stream().mapToLong(StoredFile::sizeBytes).sum();
    }

    /**
     * A file of the state.
     *
     * @param name in the state directory
     * @param path below the task's folder in checkpoint storage
     * @param sha256 of the content, lower-case hex
     */
    public record StoredFile(String name, String path, long sizeBytes, String sha256) {
        /** @throws IllegalArgumentException if this names no file, as that of a damaged manifest may */
        public StoredFile {
            Stream.of(name, path, sha256).forEach(Objects::requireNonNull);
            if (name.indexOf('/') >= 0) {
                throw new IllegalArgumentException("expected a file of the state directory itself, found " + name);
            }
        }
    }
}
