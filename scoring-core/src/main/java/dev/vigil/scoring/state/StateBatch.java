package dev.vigil.scoring.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts and deletes of one step, in order; of two for one key the later holds. */
public final class StateBatch {
    /** @param value null: delete */
    public record Entry(byte[] key, byte @Nullable [] value) {}

    private final List<Entry> entries = new ArrayList<>();

    public void put(byte[] key, byte[] value) {
        entries.add(new Entry(key, value));
    }

    public void delete(byte[] key) {
        entries.add(new Entry(key, null));
    }

    public List<Entry> entries() {
        return entries;
    }
}
