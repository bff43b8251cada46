package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.DAY;
import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.EventTimes;
import dev.vigil.event.FieldType;
import dev.vigil.event.ScoredEvent;
import dev.vigil.scoring.WindowSpec.Where;
import dev.vigil.scoring.policy.Aggregate;
import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.scoring.state.TaskState.End;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each aggregate with and without {@code where}, {@code delay} and {@code prior}, over windows of a second to 180 days:
 * the same arrivals in a hundred orders, all within the lateness, each order against {@link NaiveWindows}, bit for bit. The
 * arrivals have ties, repeats of one identity with other content, negative and extreme amounts, times on the edges of
 * windows; they lie around 1970, at either end of time, or today. {@code -Dvigil.seed=N} repeats a seed.
 */
class WindowPermutationTest {
    private static final int ORDERS = 100;
    private static final int ARRIVALS = 40;
    private static final int SHAPES = 12;
    private static final List<Long> OVERS = List.of(SECOND, MINUTE, HOUR, DAY, 30 * DAY, 180 * DAY);
    private static final List<Long> DELAYS = List.of(500 * TestPolicies.MS, 30 * SECOND, 7 * DAY, 180 * DAY);
    private static final List<String> STARTS =
            List.of("2026-03-01T00:00:00Z", "1969-06-01T00:00:00Z", "0001-01-01T00:00:01Z", "9997-06-01T00:00:00Z");
    private static final List<Where> WHERES = List.of(
            new Where("amount > 10.0", e -> money(e) != null && money(e) / 100.0 > 10.0),
            new Where("amount <= 0.0", e -> money(e) != null && money(e) <= 0),
            new Where("!ok", e -> Boolean.FALSE.equals(e.value("ok", FieldType.BOOL))));

    /** They leave the event itself out in any case. */
    private static final Set<Aggregate> LOOK_BACK =
            EnumSet.of(Aggregate.ELAPSED_SINCE, Aggregate.SINCE_NEWEST, Aggregate.GEO_SPEED);

    /** What is aggregated, apart from the window. */
    private record Subject(Aggregate aggregate, String field, FieldType type, String label) {
        Subject(Aggregate aggregate) {
            this(aggregate, null, null, null);
        }

        Subject(Aggregate aggregate, String field, FieldType type) {
            this(aggregate, field, type, null);
        }
    }

    private static final List<Subject> SUBJECTS = List.of(
            new Subject(Aggregate.COUNT),
            new Subject(Aggregate.SUM, "amount", FieldType.MONEY),
            new Subject(Aggregate.SUM, "quantity", FieldType.LONG),
            new Subject(Aggregate.AVG, "amount", FieldType.MONEY),
            new Subject(Aggregate.STDDEV, "amount", FieldType.MONEY),
            new Subject(Aggregate.MIN, "amount", FieldType.MONEY),
            new Subject(Aggregate.MAX, "quantity", FieldType.LONG),
            new Subject(Aggregate.MIN, "lat", FieldType.DOUBLE),
            new Subject(Aggregate.MAX, "seen", FieldType.TIMESTAMP),
            new Subject(Aggregate.DISTINCT, "merchant", FieldType.STRING),
            new Subject(Aggregate.DISTINCT, "amount", FieldType.MONEY),
            new Subject(Aggregate.FIRST, "merchant", FieldType.STRING),
            new Subject(Aggregate.LAST, "amount", FieldType.MONEY),
            new Subject(Aggregate.NTH_LAST, "amount", FieldType.MONEY),
            new Subject(Aggregate.RATE, "ok", FieldType.BOOL),
            new Subject(Aggregate.RATE, null, null, "fraud"),
            new Subject(Aggregate.ELAPSED_SINCE),
            new Subject(Aggregate.SINCE_NEWEST),
            new Subject(Aggregate.GEO_SPEED));

    /** An event, or, with a label, one of the event of that id. */
    private record Arrival(String id, long timeUs, Map<String, Object> values, String label) {}

    private static Long money(NaiveEvent event) {
        return (Long) event.value("amount", FieldType.MONEY);
    }

    static LongStream seeds() {
        return WindowPropertyTest.fewSeeds();
    }

    @Test
    void shouldLeaveNoAggregateOut() {
        assertThat(SUBJECTS).extracting(Subject::aggregate).containsAll(EnumSet.allOf(Aggregate.class));
        for (long seed = 0; seed < OVERS.size(); seed++) {
            Map<String, List<WindowSpec>> bySubject = specs(new Random(seed)).stream()
                    .collect(Collectors.groupingBy(spec -> spec.aggregate() + spec.field() + spec.label()));
            bySubject.values().forEach(specs -> {
                assertThat(specs).extracting(WindowSpec::overUs).containsAll(OVERS);
                assertThat(specs).extracting(spec -> spec.where() == Where.ALL).contains(true, false);
                String aggregate = specs.get(0).aggregate();
                if (!aggregate.equals("since_newest")) {
                    assertThat(specs).extracting(spec -> spec.delayUs() == 0).contains(true, false);
                }
                assertThat(specs).extracting(WindowSpec::prior).contains(true);
            });
            assertThat(bySubject).hasSameSizeAs(SUBJECTS);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldAgreeWithTheOracleInAHundredOrdersOfTheSameArrivals(long seed) {
        Random random = new Random(seed);
        List<WindowSpec> specs = specs(random);
        String policy = policy(specs);
        List<Arrival> arrivals = arrivals(random);
        for (int order = 0; order < ORDERS; order++) {
            List<TestRecord> records = new ArrayList<>(List.of(TestRecord.policy(policy)));
            arrivals.forEach(arrival -> records.add(record(arrival)));
            Outputs outputs = order == 0 ? restoredAfterEveryRecord(records) : inOneStep(records);
            compare(seed, specs, arrivals, outputs);
            Collections.shuffle(arrivals, random);
        }
    }

    private static Outputs restoredAfterEveryRecord(List<TestRecord> records) {
        PartitionScorerTester tester = new PartitionScorerTester();
        records.forEach(tester::add);
        return tester.run();
    }

    private static Outputs inOneStep(List<TestRecord> records) {
        Outputs outputs = new Outputs();
        PartitionScorer scorer = new PartitionScorer("topic-1", 0, new InMemoryStateStore(), 1_000);
        LogRecord record = new LogRecord();
        for (int offset = 0; offset < records.size(); offset++) {
            records.get(offset).fill(record, offset);
            outputs.offset = offset;
            scorer.process(record, outputs);
        }
        assertThat(scorer.counts().count(End.LATE)).isZero();
        assertThat(scorer.counts().count(End.DEAD_LETTERED)).isZero();
        return outputs;
    }

    private static void compare(long seed, List<WindowSpec> specs, List<Arrival> arrivals, Outputs outputs) {
        Map<String, NaiveEvent> known = new LinkedHashMap<>();
        Map<Long, ScoredEvent> scored = new HashMap<>();
        outputs.scored().forEach(event -> scored.put(event.position().offset(), event));
        for (int i = 0; i < arrivals.size(); i++) {
            Arrival arrival = arrivals.get(i);
            NaiveEvent before = known.get(arrival.id());
            if (arrival.label() != null) {
                if (before != null) {
                    before.labels().add(arrival.label());
                }
            } else if (before == null) {
                NaiveEvent event = new NaiveEvent(i + 1, "tx", arrival.id(), arrival.timeUs());
                event.values().putAll(arrival.values());
                known.put(arrival.id(), event);
                List<NaiveEvent> history = List.copyOf(known.values());
                Map<String, Object> expected = new HashMap<>();
                specs.forEach(spec -> expected.put(spec.name(), NaiveWindows.value(spec, history, event)));
                expected.values().removeIf(java.util.Objects::isNull);
                WindowPropertyTest.compare(seed, expected, scored.get(event.position()));
            }
        }
        assertThat(scored).as("seed %d: repeats are not scored", seed).hasSameSizeAs(known);
    }

    /** Of each subject twelve: each window twice, and each of the eight ways to have a where, a delay and prior or not. */
    private static List<WindowSpec> specs(Random random) {
        List<WindowSpec> specs = new ArrayList<>();
        for (Subject subject : SUBJECTS) {
            int first = random.nextInt(OVERS.size());
            for (int shape = 0; shape < SHAPES; shape++) {
                String aggregate = subject.aggregate().key();
                boolean delays = (shape & 1) != 0 && subject.aggregate() != Aggregate.SINCE_NEWEST;
                specs.add(new WindowSpec(
                        (aggregate.equals("geo_speed") ? "speed_" : "f_") + specs.size(),
                        aggregate,
                        "tx",
                        subject.field(),
                        subject.type(),
                        subject.label(),
                        subject.aggregate() == Aggregate.NTH_LAST ? 1 + shape % 3 : 0,
                        (shape & 4) != 0 ? WHERES.get(random.nextInt(WHERES.size())) : Where.ALL,
                        OVERS.get((first + shape + shape / OVERS.size()) % OVERS.size()),
                        delays ? DELAYS.get(random.nextInt(DELAYS.size())) : 0,
                        (shape & 2) != 0 || LOOK_BACK.contains(subject.aggregate())));
            }
        }
        return specs;
    }

    private static String policy(List<WindowSpec> specs) {
        return "policy: permutations\nversion: 1\ncurrency: EUR\n"
                + "time: {out_of_orderness: 1s, allowed_lateness: 3000d, late: drop}\n"
                + "events:\n  tx: {fields: {amount: money, quantity: long, merchant: string, ok: bool, seen: timestamp,"
                + " lat: double, lon: double}}\nfeatures:\n"
                + specs.stream().map(WindowSpec::yaml).collect(Collectors.joining());
    }

    private static List<Arrival> arrivals(Random random) {
        long startUs = EventTimes.parse(STARTS.get(random.nextInt(STARTS.size())));
        List<Arrival> arrivals = new ArrayList<>();
        List<Long> times = new ArrayList<>(List.of(startUs));
        for (int i = 0; i < ARRIVALS; i++) {
            int kind = random.nextInt(10);
            if (kind == 0 && i > 0) {
                String id = arrivals.get(random.nextInt(i)).id();
                arrivals.add(new Arrival(id, 0, Map.of(), "fraud"));
                continue;
            }
            long timeUs = Math.min(startUs + 700 * DAY, Math.max(startUs, time(random, times)));
            times.add(timeUs);
            String id = kind == 1 && i > 0 ? arrivals.get(random.nextInt(i)).id() : "e" + i;
            arrivals.add(new Arrival(id, timeUs, values(random), null));
        }
        return arrivals;
    }

    /** Beside one before: at the same time, on the edge of a window or a microsecond off it, or within a window's length. */
    private static long time(Random random, List<Long> times) {
        long near = times.get(random.nextInt(times.size()));
        long overUs = OVERS.get(random.nextInt(OVERS.size()));
        return switch (random.nextInt(5)) {
            case 0 -> near;
            case 1 -> near + overUs + random.nextInt(3) - 1;
            case 2 -> near + DELAYS.get(random.nextInt(DELAYS.size()));
            default -> near + (long) (random.nextDouble() * overUs) - overUs / 4;
        };
    }

    private static Map<String, Object> values(Random random) {
        Map<String, Object> values = new HashMap<>();
        put(random, values, "amount", FieldType.MONEY, amount(random));
        put(random, values, "quantity", FieldType.LONG, random.nextLong() >> random.nextInt(64));
        put(random, values, "merchant", FieldType.STRING, "m" + random.nextInt(4));
        put(random, values, "ok", FieldType.BOOL, random.nextBoolean());
        put(random, values, "seen", FieldType.TIMESTAMP, random.nextInt() * 1_000L);
        put(random, values, "lat", FieldType.DOUBLE, random.nextInt(5) == 0 ? 0.0 : random.nextDouble() * 180 - 90);
        put(random, values, "lon", FieldType.DOUBLE, random.nextInt(5) == 0 ? 0.0 : random.nextDouble() * 360 - 180);
        return values;
    }

    private static long amount(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> Long.MAX_VALUE;
            case 1 -> Long.MIN_VALUE;
            case 2 -> 0;
            default -> random.nextInt(40_000) - 20_000;
        };
    }

    private static void put(Random random, Map<String, Object> values, String name, FieldType type, Object value) {
        if (random.nextInt(8) > 0) {
            values.put(NaiveEvent.key(name, type), value);
        }
    }

    private static TestRecord record(Arrival arrival) {
        TestRecord record = arrival.label() != null
                ? TestRecord.label(arrival.id(), arrival.label(), true)
                : TestRecord.event("tx", arrival.id(), arrival.timeUs(), json(arrival.values()));
        return record.withIngestTimeMs(EventTimes.MAX_US / 1_000);
    }

    private static String json(Map<String, Object> values) {
        Set<Map.Entry<String, Object>> entries = values.entrySet();
        return entries.stream()
                .map(entry -> {
                    String name = entry.getKey().substring(0, entry.getKey().indexOf(':'));
                    Object value = entry.getValue();
                    String literal = name.equals("amount")
                            ? BigDecimal.valueOf((Long) value, 2).toPlainString()
                            : name.equals("merchant") ? "\"" + value + "\"" : value.toString();
                    return "\"" + name + "\": " + literal;
                })
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
