package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.Block;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exact number of distinct values. A few are kept in an array, more in a map from value to how often it is there. */
final class DistinctAccumulator extends Accumulator {
    private static final int FEWEST = 2;
    private static final int FEW = 16;

    private final int slot;
    private final boolean isText;
    private final int target;
    private @Nullable Object[] fewValues = new Object[FEWEST];
    private int[] fewCounts = new int[FEWEST];
    private int few;
    private @Nullable Map<Object, int[]> many;

    DistinctAccumulator(int slot, FieldType type, int target) {
        this.slot = slot;
        this.isText = type == FieldType.STRING;
        this.target = target;
    }

    @Override
    void reset() {
        Arrays.fill(fewValues, 0, few, null);
        few = 0;
        many = null;
    }

    @Override
    void add(Block block, int index) {
        Object value = value(block, index);
        if (value == null) {
            return;
        }
        if (many != null) {
            many.computeIfAbsent(value, v -> new int[1])[0]++;
            return;
        }
        int known = indexOf(value);
        if (known >= 0) {
            fewCounts[known]++;
        } else if (few < FEW) {
            addFew(value);
        } else {
            Map<Object, int[]> map = new HashMap<>();
            for (int i = 0; i < few; i++) {
                map.put(fewValues[i], new int[] {fewCounts[i]});
            }
            map.put(value, new int[] {1});
            many = map;
        }
    }

    private void addFew(Object value) {
        if (few == fewValues.length) {
            fewValues = Arrays.copyOf(fewValues, 2 * few);
            fewCounts = Arrays.copyOf(fewCounts, 2 * few);
        }
        fewValues[few] = value;
        fewCounts[few++] = 1;
    }

    @Override
    void remove(Block block, int index) {
        Object value = value(block, index);
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
        int known = indexOf(value);
        if (known >= 0 && --fewCounts[known] == 0) {
            few--;
            fewValues[known] = fewValues[few];
            fewCounts[known] = fewCounts[few];
            fewValues[few] = null;
        }
    }

    private int indexOf(Object value) {
        for (int i = 0; i < few; i++) {
            if (value.equals(fewValues[i])) {
                return i;
            }
        }
        return -1;
    }

    private @Nullable Object value(Block block, int index) {
        if (isText) {
            return block.text(index, slot);
        }
        return block.hasNumber(index, slot) ? (Object) block.number(index, slot) : null;
    }

    @Override
    void writeTo(Frame frame) {
        frame.setNumber(target, many == null ? few : many.size());
    }
}
