package dev.vigil.scoring;

import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.StateStore;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An {@link InMemoryStateStore} of which a copy can be taken at any time, as a checkpoint is. */
final class CopyableStateStore implements StateStore {
    private final InMemoryStateStore store = new InMemoryStateStore();
    private final TreeMap<String, byte[]> written = new TreeMap<>();

    @Override
    public byte @Nullable [] get(byte[] key) {
        return store.get(key);
    }

    @Override
    public void write(StateBatch batch) {
        store.write(batch);
        for (StateBatch.Entry entry : batch.entries()) {
            byte[] value = entry.value();
            if (value == null) {
                written.remove(hex(entry.key()));
            } else {
                written.put(hex(entry.key()), value.clone());
            }
        }
    }

    @Override
    public List<byte[]> keys(byte[] after, byte[] before, int limit) {
        return store.keys(after, before, limit);
    }

    CopyableStateStore copy() {
        StateBatch everything = new StateBatch();
        written.forEach((key, value) -> everything.put(HexFormat.of().parseHex(key), value));
        CopyableStateStore copy = new CopyableStateStore();
        copy.write(everything);
        return copy;
    }

    /** All keys and values, to be compared. */
    String dump() {
        StringBuilder dump = new StringBuilder();
        written.forEach(
                (key, value) -> dump.append(key).append('=').append(hex(value)).append('\n'));
        return dump.toString();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close() {
        store.close();
    }
}
