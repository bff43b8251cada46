package dev.vigil.benchmarks;

import dev.vigil.benchmarks.CardStream.Pace;
import dev.vigil.engine.rocksdb.CorruptStoreException;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import dev.vigil.scoring.policy.Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * A case of {@link FlatCost}. Runs in a process of its own, so that neither compiled code nor memory of another case is
 * there: the argument is the case, the last line of the output its result, both JSON.
 *
 * @param kind which stream is scored
 * @param longestSeconds the policy's longest window
 * @param windowEvents of an account in that window, where the kind says so
 * @param windowTotal of all accounts asked about together, so that none of the cases has less in memory than another
 * @param lateSeconds 2 % of the events come late by less than so much; 0: none
 * @param stepSize events of a step
 * @param warmUp events of the usual stream before all, which leave nothing
 * @param unmeasured events before
 * @param events that are measured, without those beside them; likewise {@code unmeasured}
 * @param maxLiveEvents as the engine's configuration has it
 */
record FlatCase(
        Kind kind,
        long longestSeconds,
        int windowEvents,
        int windowTotal,
        int lateSeconds,
        int stepSize,
        int warmUp,
        int unmeasured,
        int events,
        long maxLiveEvents,
        long seed) {
    enum Kind {
        /**
         * Accounts alike, each with about {@code windowEvents} in the longest window, beside others that are the same in all
         * cases and have two of three events, so that it is not by their number that the cases differ.
         */
        WINDOW,
        /** Accounts alike, in four hours, so that an hour's policy lets go of some and remembers enough. */
        EVEN,
        /** As they usually are, in as long. */
        SKEWED,
        /** The usual accounts, a longest window full; then with another account that has 80 % of all events beside them. */
        WITHOUT_HOT,
        WITH_HOT,
        /** The first event after a restart, of an account with {@code windowEvents}. */
        RESTART
    }

    private static final int USUAL_ACCOUNTS = 100_000;
    private static final int HOT_PER_OTHER = 4;
    private static final int BESIDE_PER_EVENT = 2;
    private static final int BESIDE_WINDOW_EVENTS = 10;
    private static final long SHORT_SECONDS = 4 * 3_600;
    private static final int CHUNK = 1_000;
    private static final double US_PER_SECOND = 1e6;

    public static void main(String[] args) throws IOException, CorruptStoreException {
        FlatCase flatCase = Json.decode(args[0].getBytes(StandardCharsets.UTF_8), FlatCase.class);
        Path directory = Files.createTempDirectory("vigil-flat-cost");
        try {
            flatCase.warmUp(directory.resolve("warm-up"));
            FlatResult result = flatCase.kind == Kind.RESTART
                    ? flatCase.restart(directory.resolve("state"))
                    : flatCase.score(directory.resolve("state"));
            System.out.println(new String(Json.encode(result), StandardCharsets.UTF_8));
        } finally {
            delete(directory);
        }
    }

    /** So that code is compiled, which it is as soon in no two cases otherwise. */
    private void warmUp(Path directory) throws CorruptStoreException {
        Supplier<EventEnvelope> usual = new CardStream(seed)::next;
        try (MeteredScorer scorer = new MeteredScorer(directory, VelocityPolicy.read(), maxLiveEvents)) {
            score(scorer, usual, warmUp, event -> false);
        }
    }

    private Policy policy() {
        return VelocityPolicy.read(Duration.ofSeconds(longestSeconds));
    }

    private FlatResult score(Path directory) throws CorruptStoreException {
        Supplier<EventEnvelope> stream = stream();
        Predicate<EventEnvelope> timed = event -> event.source().equals(CardStream.SOURCE);
        int perMeasured = 1 + besidePerEvent();
        try (MeteredScorer scorer = new MeteredScorer(directory, policy(), maxLiveEvents)) {
            score(scorer, stream, unmeasured * perMeasured, timed);
            scorer.reset();
            score(scorer, stream, events * perMeasured, timed);
            return scorer.result();
        }
    }

    private int besidePerEvent() {
        return switch (kind) {
            case WINDOW -> BESIDE_PER_EVENT;
            case WITH_HOT -> HOT_PER_OTHER;
            case EVEN, SKEWED, WITHOUT_HOT, RESTART -> 0;
        };
    }

    private void score(
            MeteredScorer scorer, Supplier<EventEnvelope> stream, int count, Predicate<EventEnvelope> timed) {
        List<EventEnvelope> chunk = new ArrayList<>();
        for (int from = 0; from < count; from += CHUNK) {
            chunk.clear();
            while (chunk.size() < Math.min(CHUNK, count - from)) {
                chunk.add(stream.get());
            }
            for (int step = 0; step < chunk.size(); step += stepSize) {
                scorer.step(chunk.subList(step, Math.min(chunk.size(), step + stepSize)), timed);
            }
        }
    }

    private Pace pace(double eventsInLongest) {
        return pace(longestSeconds, eventsInLongest);
    }

    private Pace pace(long seconds, double count) {
        return new Pace(
                seconds * US_PER_SECOND / count, lateSeconds == 0 ? 0 : 2, (long) (lateSeconds * US_PER_SECOND));
    }

    private Supplier<EventEnvelope> stream() {
        return switch (kind) {
            case WINDOW -> {
                int besideCount = windowTotal * BESIDE_PER_EVENT;
                yield beside(
                        alike(Math.max(1, windowTotal / windowEvents), pace(windowTotal)),
                        alike(Math.max(1, besideCount / BESIDE_WINDOW_EVENTS), pace(besideCount)));
            }
            case RESTART -> {
                CardStream stream = new CardStream(seed, 1, pace(windowEvents));
                yield () -> stream.next(0);
            }
            case EVEN -> alike(USUAL_ACCOUNTS, pace(SHORT_SECONDS, unmeasured + events));
            case SKEWED -> new CardStream(seed, USUAL_ACCOUNTS, pace(SHORT_SECONDS, unmeasured + events))::next;
            case WITHOUT_HOT -> new CardStream(seed, USUAL_ACCOUNTS, pace(unmeasured))::next;
            case WITH_HOT ->
                beside(
                        new CardStream(seed, USUAL_ACCOUNTS, pace(unmeasured))::next,
                        alike(1, pace((double) unmeasured * HOT_PER_OTHER)));
        };
    }

    private Supplier<EventEnvelope> alike(int accounts, Pace pace) {
        SplittableRandom account = new SplittableRandom(~seed);
        CardStream stream = new CardStream(seed, accounts, pace);
        return () -> stream.next(account.nextInt(accounts));
    }

    /** The events asked about, the same as alone, and after each so many beside it that are not. */
    private Supplier<EventEnvelope> beside(Supplier<EventEnvelope> stream, Supplier<EventEnvelope> others) {
        AtomicLong turn = new AtomicLong();
        return () -> {
            if (turn.getAndIncrement() % (1 + besidePerEvent()) == 0) {
                return stream.get();
            }
            EventEnvelope other = others.get();
            return new EventEnvelope(
                    other.id(),
                    "/benchmark/beside",
                    other.type(),
                    other.timeUs(),
                    "beside-" + other.subject(),
                    false,
                    other.data());
        };
    }

    private FlatResult restart(Path directory) throws CorruptStoreException {
        Supplier<EventEnvelope> stream = stream();
        try (MeteredScorer scorer = new MeteredScorer(directory, policy(), maxLiveEvents)) {
            score(scorer, stream, windowEvents, event -> false);
        }
        Histogram firstNs = new Histogram(3);
        FlatResult last = null;
        for (int restart = 0; restart < events; restart++) {
            try (MeteredScorer scorer = new MeteredScorer(directory, policy(), maxLiveEvents)) {
                firstNs.recordValue(scorer.step(List.of(stream.get()), event -> true));
                last = scorer.result();
            }
        }
        FlatResult result = java.util.Objects.requireNonNull(last);
        return new FlatResult(
                firstNs.getTotalCount(),
                firstNs.getValueAtPercentile(50) / 1e3,
                firstNs.getValueAtPercentile(99) / 1e3,
                firstNs.getValueAtPercentile(99.9) / 1e3,
                firstNs.getMaxValue() / 1e3,
                result.heads(),
                result.blocks(),
                result.otherKeys(),
                result.bytes(),
                result.heapMib(),
                result.residentMib());
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
