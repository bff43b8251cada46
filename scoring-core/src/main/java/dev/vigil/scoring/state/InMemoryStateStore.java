package dev.vigil.scoring.state;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** State of a run that need not outlive its process: backtests and tests. */
public final class InMemoryStateStore implements StateStore {
    private final TreeMap<byte[], byte[]> values = new TreeMap<>(Arrays::compareUnsigned);

    @Override
    public byte @Nullable [] get(byte[] key) {
        byte[] value = values.get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public void write(StateBatch batch) {
        for (StateBatch.Entry entry : batch.entries()) {
            byte[] value = entry.value();
            if (value == null) {
                values.remove(entry.key());
            } else {
                values.put(entry.key(), value);
            }
        }
    }

    @Override
    public List<byte[]> keys(byte[] after, byte[] before, int limit) {
        return values.tailMap(after, false).keySet().stream()
                .takeWhile(key -> Arrays.compareUnsigned(key, before) < 0)
                .limit(limit)
                .map(byte[]::clone)
                .toList();
    }

    /** Number of keys held. */
    public int size() {
        return values.size();
    }

    @Override
    public void close() {
        values.clear();
    }
}
