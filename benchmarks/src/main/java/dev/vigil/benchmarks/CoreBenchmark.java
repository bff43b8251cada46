package dev.vigil.benchmarks;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import dev.vigil.scoring.LogRecord;
import dev.vigil.scoring.PartitionScorer;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.ScoredView;
import dev.vigil.scoring.ScoringOutbox;
import dev.vigil.scoring.state.InMemoryStateStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What the core takes for an event, from its record to its encoded score, by number of windows, events in the longest of
 * them, and share out of order. One busy account, without Kafka, its state encoded after each hundred events and kept in
 * memory. Making the records takes its share too: {@link #record} alone tells how much.
 */
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgs = "-Xmx2g")
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class CoreBenchmark {
    private static final long LONGEST_US = Duration.ofDays(7).toMillis() * 1_000;
    private static final int EVENTS_PER_STEP = 100;
    private static final int STEPS_BACK = 8;
    private static final long SEED = 1;

    /** Each with count, sum and maximum; the longest has 7 days, each other half of the one before. */
    @Param({"1", "5", "20"})
    int windows;

    /** Of the account in the longest window. */
    @Param({"10", "1000", "100000"})
    int events;

    /** Percent of the events that are earlier than some before them, by up to 8 events. */
    @Param({"0", "2", "20"})
    int outOfOrder;

    private final LogRecord record = new LogRecord();
    private PartitionScorer scorer;
    private CardStream stream;
    private Blackhole blackhole;
    private int inStep;

    @Setup
    public void fill(Blackhole sink) {
        blackhole = sink;
        double usPerEvent = (double) LONGEST_US / events;
        stream = new CardStream(SEED, 1, new CardStream.Pace(usPerEvent, outOfOrder, (long) (STEPS_BACK * usPerEvent)));
        scorer = new PartitionScorer(
                "benchmark", 0, new InMemoryStateStore(), Integer.MAX_VALUE, Policies.check("core", policy()));
        for (int i = 0; i < 2 * events; i++) {
            score();
        }
    }

    private String policy() {
        StringBuilder text = new StringBuilder("policy: core\nversion: 1\ncurrency: EUR\n")
                .append("time: {out_of_orderness: 7d, allowed_lateness: 7d}\n")
                .append("events:\n  transaction: {fields: {amount: money}}\nfeatures:\n");
        for (int i = 0; i < windows; i++) {
            String over = ", over: " + (LONGEST_US >> i) / 1_000_000 + "s}\n";
            text.append("  c").append(i).append(": {count: transaction").append(over);
            text.append("  s").append(i).append(": {sum: transaction.amount").append(over);
            text.append("  m").append(i).append(": {max: transaction.amount").append(over);
        }
        return text.append("rules:\n  - {id: high, when: \"amount > m0\", score: 1, reason: never}\n")
                .append("decisions: [{review: 1}]\n")
                .toString();
    }

    /** An event's score, and its share of the end of a step. */
    @Benchmark
    public void score() {
        scorer.process(record(), new Discarding(blackhole));
        if (++inStep == EVENTS_PER_STEP) {
            inStep = 0;
            scorer.write(scorer.takeStep());
        }
    }

    /** The next record alone. */
    @Benchmark
    public LogRecord record() {
        EventEnvelope event = stream.next(0);
        record.begin(
                scorer.nextOffset(),
                event.timeUs() / 1_000,
                event.subject().getBytes(StandardCharsets.UTF_8),
                event.data());
        event.headers().forEach(record::header);
        return record;
    }

    /** Encodes what there is to send. */
    private record Discarding(Blackhole blackhole) implements ScoringOutbox {
        @Override
        public void scored(ScoredView event) {
            blackhole.consume(event.encode());
        }

        @Override
        public void corrected(ScoredView event) {
            blackhole.consume(event.encode());
        }

        @Override
        public void alert(String account, byte[] alert) {
            blackhole.consume(alert);
        }

        @Override
        public void summary(String account, byte[] summary) {
            blackhole.consume(summary);
        }

        @Override
        public void schema(byte[] schema) {
            blackhole.consume(schema);
        }

        @Override
        public void late(LogRecord late) {
            throw new IllegalStateException("offset " + late.offset() + " is late, and none of the stream is");
        }

        @Override
        public void deadLetter(LogRecord rejected, DeadLetter.Reason reason, String detail) {
            throw new IllegalStateException("offset " + rejected.offset() + ": " + reason + ": " + detail);
        }
    }
}
