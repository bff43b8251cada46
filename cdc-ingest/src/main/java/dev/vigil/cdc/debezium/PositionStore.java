package dev.vigil.cdc.debezium;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.MemoryOffsetBackingStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps Debezium's position in a {@link PositionFile}. The engine asks for a write only after a batch was acknowledged,
 * and confirms the position to the database only after the write.
 *
 * <p>Created by the engine, by name.
 */
public final class PositionStore extends MemoryOffsetBackingStore {

    static final String FILE_SETTING = "offset.storage.file.filename";
    static final String SLOT_SETTING = "slot.name";

    private @Nullable Path file;
    private String slot = "";

    @Override
    public void configure(WorkerConfig config) {
        super.configure(config);
        file = Path.of(String.valueOf(config.originals().get(FILE_SETTING)));
        slot = String.valueOf(config.originals().get(SLOT_SETTING));
    }

    @Override
    public void start() {
        super.start();
        PositionFile position = PositionFile.read(file());
        if (position != null) {
            position.offsets().forEach((key, value) -> data.put(bytes(key), bytes(value)));
        }
    }

    @Override
    protected void save() {
        Map<String, String> offsets = new LinkedHashMap<>();
        data.forEach((key, value) -> {
            if (key != null && value != null) {
                offsets.put(text(key), text(value));
            }
        });
        PositionFile.empty(slot).withOffsets(offsets).write(file());
    }

    @Override
    public Set<Map<String, Object>> connectorPartitions(String connectorName) {
        return Set.of();
    }

    private Path file() {
        if (file == null) {
            throw new IllegalStateException("not configured");
        }
        return file;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }
}
