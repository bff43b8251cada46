package dev.vigil.backtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Counts what was not scored by reason and keeps the first few for the report. */
final class SetAsideCounter {
    private static final int MAX_EXAMPLES = 20;

    private final Consumer<SetAsideRecord> records;
    private final Map<String, Long> reasons = new TreeMap<>();
    private final List<SetAsideRecord> examples = new ArrayList<>();

    /** @param records takes each of them in log order */
    SetAsideCounter(Consumer<SetAsideRecord> records) {
        this.records = records;
    }

    void add(SetAsideRecord record) {
        if (!record.reason().isEmpty()) {
            reasons.merge(record.reason(), 1L, Long::sum);
        }
        if (examples.size() < MAX_EXAMPLES) {
            examples.add(record);
        }
        records.accept(record);
    }

    Map<String, Long> reasons() {
        return reasons;
    }

    List<SetAsideRecord> examples() {
        return examples;
    }
}
