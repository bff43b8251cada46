package dev.vigil.lakehouse;

import dev.vigil.event.Json;
import dev.vigil.event.RecordKinds;
import dev.vigil.event.ScoredSchema;
import dev.vigil.service.ServiceException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A topic whose records outlive its readers. */
public final class InMemoryTopic {
    private final Map<Integer, List<RawRecord>> partitions = new TreeMap<>();
    private final Map<Integer, Long> beginnings = new HashMap<>();
    private String id = "topic-1";
    private boolean down;
    private int perPoll = 100;

    public InMemoryTopic(int partitionCount) {
        for (int i = 0; i < partitionCount; i++) {
            partitions.put(i, new ArrayList<>());
        }
    }

    public void append(int partition, Object json) {
        append(partition, Json.encode(json), Map.of());
    }

    public void append(int partition, ScoredSchema schema) {
        append(
                partition,
                Json.encode(schema),
                Map.of(RecordKinds.HEADER, RecordKinds.SCHEMA.getBytes(StandardCharsets.UTF_8)));
    }

    public void append(int partition, byte[] value, Map<String, byte[]> headers) {
        List<RawRecord> records = partitions.get(partition);
        records.add(new RawRecord(partition, records.size(), 1_000 + records.size(), null, value, headers));
    }

    public void goDown(boolean isDown) {
        down = isDown;
    }

    public void pollAtMost(int records) {
        perPoll = records;
    }

    public void recreate(String newId) {
        id = newId;
        partitions.values().forEach(List::clear);
    }

    /** Retention removed everything before the offset. */
    public void removeBefore(int partition, long offset) {
        beginnings.put(partition, offset);
    }

    public RecordSource reader() {
        return new Reader();
    }

    private final class Reader implements RecordSource {
        private final Map<Integer, Long> next = new TreeMap<>();

        @Override
        public String connect() {
            answer();
            return id;
        }

        @Override
        public void seek(Map<Integer, Long> wanted, boolean acceptGap) {
            answer();
            for (int partition : partitions.keySet()) {
                long beginning = beginnings.getOrDefault(partition, 0L);
                long offset = wanted.getOrDefault(partition, beginning);
                if (offset < beginning && !acceptGap) {
                    throw new ServiceException("records are gone before offset " + beginning);
                }
                next.put(partition, Math.max(beginning, offset));
            }
        }

        @Override
        public List<RawRecord> poll(Duration timeout) {
            List<RawRecord> polled = new ArrayList<>();
            partitions.forEach((partition, records) -> {
                long at = next.get(partition);
                while (!down && at < records.size() && polled.size() < perPoll) {
                    polled.add(records.get((int) at++));
                }
                next.put(partition, at);
            });
            return polled;
        }

        @Override
        public Map<Integer, Long> endOffsets() {
            answer();
            Map<Integer, Long> ends = new HashMap<>();
            partitions.forEach((partition, records) -> ends.put(partition, (long) records.size()));
            return ends;
        }

        @Override
        public boolean reached(Map<Integer, Long> ends) {
            return ends.entrySet().stream().allMatch(end -> next.get(end.getKey()) >= end.getValue());
        }

        private void answer() {
            if (down) {
                throw new IllegalStateException("the broker does not answer");
            }
        }

        @Override
        public void close() {}
    }
}
