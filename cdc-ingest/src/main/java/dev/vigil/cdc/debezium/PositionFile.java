package dev.vigil.cdc.debezium;

import dev.vigil.event.Json;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The file that holds how far the source was read: one small JSON document, replaced as a whole, so that a crash leaves
 * the earlier or the later one. It is written before the slot is created, too: a slot of that name is then known to be
 * ours.
 *
 * @param format version of the document
 * @param slot replication slot that the position belongs to
 * @param offsets Debezium's own, text by text
 */
record PositionFile(int format, String slot, Map<String, String> offsets) {

    private static final int FORMAT = 1;

    PositionFile {
        offsets = Collections.unmodifiableMap(new LinkedHashMap<>(offsets));
    }

    static PositionFile empty(String slot) {
        return new PositionFile(FORMAT, slot, Map.of());
    }

    PositionFile withOffsets(Map<String, String> newOffsets) {
        return new PositionFile(format, slot, newOffsets);
    }

    /** Null if there is no such file. */
    static @Nullable PositionFile read(Path file) {
        if (!Files.exists(file)) {
            return null;
        }
        try {
            PositionFile position = Json.decode(Files.readAllBytes(file), PositionFile.class);
            if (position.format() != FORMAT) {
                throw new ServiceException(file + ": expected a position of format " + FORMAT + ", found format "
                        + position.format() + "; it was written by another version of Vigil");
            }
            return position;
        } catch (IOException | UncheckedIOException e) {
            throw new ServiceException(file + ": expected a readable position, found: " + e.getMessage(), e);
        }
    }

    void write(Path file) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            try (FileChannel channel = FileChannel.open(
                    next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.wrap(Json.encode(this));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ServiceException(file + ": expected to write the position, found: " + e, e);
        }
    }

    /** How far the stream was read; empty before the first snapshot was complete. */
    OptionalLong lsn() {
        for (String offset : offsets.values()) {
            Map<String, Object> position = Json.decodeObject(offset.getBytes(StandardCharsets.UTF_8));
            if (position.get("lsn") instanceof Number lsn && !isInsideSnapshot(position)) {
                return OptionalLong.of(lsn.longValue());
            }
        }
        return OptionalLong.empty();
    }

    static boolean isInsideSnapshot(Map<String, ?> offset) {
        Object snapshot = offset.get("snapshot");
        boolean taken = snapshot != null && !Boolean.FALSE.equals(snapshot) && !"false".equals(snapshot);
        return taken && !Boolean.TRUE.equals(offset.get("last_snapshot_record"));
    }
}
