package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.StoredEvent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exact number of distinct values. A few are kept in an array, more in a map from value to how often it is there. */
final class DistinctAccumulator extends Accumulator {
    private static final int FEW = 16;

    private final int slot;
    private final boolean isText;
    private final Object[] fewValues = new Object[FEW];
    private final int[] fewCounts = new int[FEW];
    private int few;
    private @Nullable Map<Object, int[]> many;

    DistinctAccumulator(int slot, FieldType type) {
        this.slot = slot;
        this.isText = type == FieldType.STRING;
    }

    @Override
    void reset() {
        Arrays.fill(fewValues, 0, few, null);
        few = 0;
        many = null;
    }

    @Override
    void add(StoredEvent event) {
        Object value = value(event);
        if (value == null) {
            return;
        }
        if (many != null) {
            many.computeIfAbsent(value, v -> new int[1])[0]++;
            return;
        }
        int index = indexOf(value);
        if (index >= 0) {
            fewCounts[index]++;
        } else if (few < FEW) {
            fewValues[few] = value;
            fewCounts[few++] = 1;
        } else {
            Map<Object, int[]> map = new HashMap<>();
            for (int i = 0; i < few; i++) {
                map.put(fewValues[i], new int[] {fewCounts[i]});
            }
            map.put(value, new int[] {1});
            many = map;
        }
    }

    @Override
    void remove(StoredEvent event) {
        Object value = value(event);
        if (value == null) {
            return;
        }
        if (many != null) {
            int[] count = many.get(value);
            if (count != null && --count[0] == 0) {
                many.remove(value);
            }
            return;
        }
        int index = indexOf(value);
        if (index >= 0 && --fewCounts[index] == 0) {
            few--;
            fewValues[index] = fewValues[few];
            fewCounts[index] = fewCounts[few];
            fewValues[few] = null;
        }
    }

    private int indexOf(Object value) {
        for (int i = 0; i < few; i++) {
            if (fewValues[i].equals(value)) {
                return i;
            }
        }
        return -1;
    }

    private @Nullable Object value(StoredEvent event) {
        if (isText) {
            return event.text(slot);
        }
        return event.hasNumber(slot) ? (Object) event.number(slot) : null;
    }

    @Override
    void writeTo(Frame frame, int target) {
        frame.setNumber(target, many == null ? few : many.size());
    }
}
