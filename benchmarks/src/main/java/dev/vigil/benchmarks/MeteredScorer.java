package dev.vigil.benchmarks;

import dev.vigil.engine.rocksdb.CorruptStoreException;
import dev.vigil.engine.rocksdb.RocksDbResources;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import dev.vigil.scoring.LogRecord;
import dev.vigil.scoring.PartitionScorer;
import dev.vigil.scoring.ScoredView;
import dev.vigil.scoring.ScoringOutbox;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.StateBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * A partition's scorer on RocksDB, as the engine runs it but for Kafka, that times each event and looks at what its steps
 * write. The time of an event is its own, decoding to encoded score, plus its share of the end of its step, when state is
 * encoded and written. One thread.
 */
final class MeteredScorer implements AutoCloseable {
    private static final long HIGHEST_NS = 600_000_000_000L;
    private static final long MIB = 1L << 20;

    private final RocksDbResources resources;
    private final RocksDbStateStore store;
    private final PartitionScorer scorer;
    private final Histogram timesNs = new Histogram(HIGHEST_NS, 3);
    private final LogRecord record = new LogRecord();
    private final EncodingOutbox outbox = new EncodingOutbox();
    private long newestMs;
    private long events;
    private long heads;
    private long blocks;
    private long otherKeys;
    private long bytes;

    MeteredScorer(Path directory, Policy policy, long maxLiveEvents) throws CorruptStoreException {
        resources = new RocksDbResources(64 * MIB, 64 * MIB);
        try {
            store = RocksDbStateStore.open(directory, resources);
        } catch (CorruptStoreException | RuntimeException e) {
            resources.close();
            throw e;
        }
        scorer = new PartitionScorer("benchmark", 0, store, maxLiveEvents, policy);
    }

    /** Forgets what was measured so far. */
    void reset() {
        timesNs.reset();
        events = 0;
        heads = 0;
        blocks = 0;
        otherKeys = 0;
        bytes = 0;
    }

    /**
     * Scores a step's events and writes its state.
     *
     * @param timed whose times are recorded; what is written is counted of all
     * @return time that the whole step took, ns
     */
    long step(List<EventEnvelope> step, Predicate<EventEnvelope> timed) {
        long[] ownNs = new long[step.size()];
        long wholeNs = 0;
        for (int i = 0; i < ownNs.length; i++) {
            ownNs[i] = score(step.get(i));
            wholeNs += ownNs[i];
        }
        long endStartNs = System.nanoTime();
        StateBatch batch = scorer.takeStep();
        scorer.write(batch);
        long endNs = System.nanoTime() - endStartNs;
        for (int i = 0; i < ownNs.length; i++) {
            if (timed.test(step.get(i))) {
                timesNs.recordValue(Math.min(HIGHEST_NS, ownNs[i] + endNs / ownNs.length));
            }
        }
        events += ownNs.length;
        batch.entries().forEach(this::count);
        return wholeNs + endNs;
    }

    private long score(EventEnvelope event) {
        byte[] key = event.subject().getBytes(StandardCharsets.UTF_8);
        Map<String, byte[]> headers = event.headers();
        newestMs = Math.max(newestMs, event.timeUs() / 1_000);
        long startNs = System.nanoTime();
        record.begin(scorer.nextOffset(), newestMs, key, event.data());
        headers.forEach(record::header);
        scorer.process(record, outbox);
        return System.nanoTime() - startNs;
    }

    private void count(StateBatch.Entry entry) {
        switch (entry.key()[0]) {
            case 'h' -> heads++;
            case 'b' -> blocks++;
            default -> otherKeys++;
        }
        byte[] value = entry.value();
        bytes += entry.key().length + (value == null ? 0 : value.length);
    }

    FlatResult result() {
        double per = Math.max(1, events);
        return new FlatResult(
                timesNs.getTotalCount(),
                timesNs.getValueAtPercentile(50) / 1e3,
                timesNs.getValueAtPercentile(99) / 1e3,
                timesNs.getValueAtPercentile(99.9) / 1e3,
                timesNs.getMaxValue() / 1e3,
                heads / per,
                blocks / per,
                otherKeys / per,
                bytes / per,
                heapMib(),
                new ProcessMeter(ProcessHandle.current().pid()).residentMib().orElse(0));
    }

    /** What is left after a collection. */
    private static long heapMib() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / MIB;
    }

    @Override
    public void close() {
        store.close();
        resources.close();
    }

    /** Encodes as the engine's outbox does, and sends nothing. */
    private static final class EncodingOutbox implements ScoringOutbox {
        private long sent;

        @Override
        public void scored(ScoredView event) {
            sent += event.encode().length;
        }

        @Override
        public void corrected(ScoredView event) {
            sent += event.encode().length;
        }

        @Override
        public void alert(String account, byte[] alert) {
            sent += alert.length;
        }

        @Override
        public void summary(String account, byte[] summary) {
            sent += summary.length;
        }

        @Override
        public void schema(byte[] schema) {
            sent += schema.length;
        }

        @Override
        public void late(LogRecord record) {
            throw new IllegalStateException("offset " + record.offset() + " is late, and none of the stream is");
        }

        @Override
        public void deadLetter(LogRecord record, DeadLetter.Reason reason, String detail) {
            throw new IllegalStateException("offset " + record.offset() + ": " + reason + ": " + detail);
        }

        @Override
        public String toString() {
            return sent + " bytes";
        }
    }
}
