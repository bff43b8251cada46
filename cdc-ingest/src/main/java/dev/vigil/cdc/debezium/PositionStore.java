package dev.vigil.cdc.debezium;

import dev.vigil.event.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.MemoryOffsetBackingStore;

/**
 * Tells the engine where to begin. What it wants to store is stored already: {@link BatchForwarder} writes position and state
 * in one step, and names a position to the engine only after that.
 *
 * <p>Created by the engine, by name.
 */
public final class PositionStore extends MemoryOffsetBackingStore {

    static final String POSITION_SETTING = "vigil.position";

    private Map<String, Object> offsets = Map.of();

    @Override
    public void configure(WorkerConfig config) {
        super.configure(config);
        String position = String.valueOf(config.originals().get(POSITION_SETTING));
        offsets = Json.decodeObject(position.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void start() {
        super.start();
        offsets.forEach((key, value) -> data.put(bytes(key), bytes(String.valueOf(value))));
    }

    @Override
    public Set<Map<String, Object>> connectorPartitions(String connectorName) {
        return Set.of();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
