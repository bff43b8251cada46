package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static dev.vigil.scoring.TestPolicies.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.FieldType;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.ScoredSchema;
import dev.vigil.scoring.WindowSpec.Where;
import dev.vigil.scoring.state.InMemoryStateStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Policies that lengthen and shorten windows, take up types and fields and drop them, over a stream with restarts: from
 * {@code complete_since} on, a feature has the value that {@link NaiveWindows} gives over the whole log, events that were
 * refused because no policy knew them included. {@code -Dvigil.seed=N} repeats one.
 */
class CompletenessPropertyTest {
    private static final List<String> TYPES = List.of("tx", "login", "card");

    static LongStream seeds() {
        Long only = Long.getLong("vigil.seed");
        return only != null
                ? LongStream.of(only)
                : LongStream.concat(LongStream.rangeClosed(1, 8), LongStream.of(new Random().nextLong()));
    }

    private final InMemoryStateStore store = new InMemoryStateStore();
    private final Map<String, List<NaiveEvent>> histories = new HashMap<>();
    private final Recorder outputs = new Recorder();
    private Random random;
    private PartitionScorer scorer;
    private List<WindowSpec> specs = List.of();
    private Map<String, Map<String, FieldType>> declared = Map.of();
    private long nowUs = T0;
    private long offset;
    private int version;
    private int compared;
    private int partial;

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldGiveTheWholeLogsValueFromThenOn(long seed) {
        random = new Random(seed);
        scorer = scorer();
        int beforeAnyPolicy = random.nextBoolean() ? 0 : random.nextInt(30);
        for (int i = 0; i < beforeAnyPolicy; i++) {
            event(seed);
        }
        for (int policy = 0; policy < 6; policy++) {
            activate(seed);
            int events = 20 + random.nextInt(150);
            for (int i = 0; i < events; i++) {
                event(seed);
                if (random.nextInt(40) == 0) {
                    restart();
                }
            }
        }
        assertThat(compared).as("seed %d, compared", seed).isGreaterThan(200);
        if (seed >= 1 && seed <= 8) {
            assertThat(partial)
                    .as("seed %d, values before that are partial now and then", seed)
                    .isPositive();
        }
    }

    private PartitionScorer scorer() {
        return new PartitionScorer("topic-1", 0, store, random.nextBoolean() ? 0 : 10_000);
    }

    private void restart() {
        Map<String, Long> before = scorer.completeSinceUs();
        scorer.write(scorer.takeStep());
        scorer = scorer();
        assertThat(scorer.completeSinceUs()).isEqualTo(before);
    }

    private void activate(long seed) {
        declared = declared();
        specs = specs();
        Map<String, String> computed =
                Map.of("sum_of", specs.get(0).name() + " + " + specs.get(1).name());
        process(TestRecord.policy(yaml(computed)).withIngestTimeMs(nowUs / 1_000));
        assertThat(outputs.refused).as("seed %d: %s", seed, yaml(computed)).isNull();
        Map<String, Long> since = scorer.completeSinceUs();
        assertThat(outputs.schema.completeSinceUs()).isEqualTo(since);
        if (since != null) {
            assertThat(since.keySet()).hasSize(specs.size() + 1).contains("sum_of");
            assertThat(since.get("sum_of"))
                    .isEqualTo(Math.max(
                            since.get(specs.get(0).name()),
                            since.get(specs.get(1).name())));
        }
    }

    private Map<String, Map<String, FieldType>> declared() {
        Map<String, Map<String, FieldType>> types = new LinkedHashMap<>();
        for (String type : TYPES) {
            if (type.equals("tx") || random.nextInt(3) > 0) {
                Map<String, FieldType> fields = new LinkedHashMap<>();
                fields.put("a", FieldType.LONG);
                if (random.nextInt(3) > 0) {
                    fields.put("b", FieldType.LONG);
                }
                types.put(type, fields);
            }
        }
        return types;
    }

    private List<WindowSpec> specs() {
        List<WindowSpec> all = new ArrayList<>();
        long scale = random.nextInt(3) == 0 ? 4 * HOUR : random.nextBoolean() ? HOUR : 5 * MINUTE;
        declared.forEach((type, fields) -> {
            all.add(spec("count", type, null, Where.ALL, scale));
            fields.keySet().forEach(field -> all.add(spec("sum", type, field, Where.ALL, scale)));
            if (fields.containsKey("b")) {
                all.add(spec(
                        "count",
                        type,
                        null,
                        new Where("b > 50", e -> e.value("b", FieldType.LONG) instanceof Long b && b > 50),
                        scale));
            }
        });
        return all;
    }

    private WindowSpec spec(String aggregate, String type, String field, Where where, long scale) {
        long over = SECOND + (long) (random.nextDouble() * scale) / SECOND * SECOND;
        long delay = random.nextInt(3) == 0 ? (long) (random.nextDouble() * scale) / SECOND * SECOND : 0;
        FieldType fieldType = field == null ? null : FieldType.LONG;
        return new WindowSpec(
                "f" + ++version, aggregate, type, field, fieldType, null, 0, where, over, delay, random.nextBoolean());
    }

    private String yaml(Map<String, String> computed) {
        StringBuilder yaml = new StringBuilder("policy: random\nversion: " + ++version + "\ncurrency: EUR\n"
                + "time: {out_of_orderness: " + random.nextInt(60) + "s, allowed_lateness: " + random.nextInt(20)
                + "m, max_future_skew: " + (1 + random.nextInt(300)) + "s, late: drop}\nevents:\n");
        declared.forEach((type, fields) -> yaml.append("  ")
                .append(type)
                .append(": {fields: {")
                .append(fields.keySet().stream().map(f -> f + ": long").collect(Collectors.joining(", ")))
                .append("}}\n"));
        yaml.append("features:\n");
        specs.forEach(spec -> yaml.append(spec.yaml()));
        computed.forEach((name, text) -> yaml.append("  ")
                .append(name)
                .append(": {expr: \"")
                .append(text)
                .append("\"}\n"));
        return yaml.toString();
    }

    private void event(long seed) {
        nowUs += (long) (random.nextDouble() * random.nextDouble() * 4 * MINUTE);
        long timeUs = nowUs - (random.nextInt(4) == 0 ? (long) (random.nextDouble() * 25 * MINUTE) : 0);
        String type = TYPES.get(random.nextInt(TYPES.size()));
        String account = "acc" + (random.nextInt(3) > 0 ? 0 : 1 + random.nextInt(6));
        NaiveEvent event = new NaiveEvent(offset, type, "e" + offset, timeUs);
        long a = random.nextInt(100);
        long b = random.nextInt(100);
        event.values().put(NaiveEvent.key("a", FieldType.LONG), a);
        event.values().put(NaiveEvent.key("b", FieldType.LONG), b);
        outputs.clear();
        process(TestRecord.event(type, event.id(), timeUs, "{\"a\":" + a + ",\"b\":" + b + "}")
                .withAccount(account)
                .withIngestTimeMs(nowUs / 1_000));
        boolean isUnknown = outputs.refused == Reason.UNKNOWN_EVENT_TYPE || outputs.refused == Reason.NO_POLICY;
        assertThat(outputs.refused == null || isUnknown).isTrue();
        if (isUnknown || outputs.scored != null) {
            histories.computeIfAbsent(account, k -> new ArrayList<>()).add(event);
        }
        if (outputs.scored != null) {
            compare(seed, event, histories.get(account));
        }
    }

    private void compare(long seed, NaiveEvent event, List<NaiveEvent> history) {
        Map<String, Long> since = scorer.completeSinceUs();
        for (WindowSpec spec : specs) {
            Object oracle = NaiveWindows.value(spec, history, event);
            Object actual = outputs.scored.features().get(spec.name());
            boolean same = NaivePartition.same(oracle, actual, false);
            if (event.timeUs() >= since.get(spec.name())) {
                compared++;
                if (!same) {
                    fail(
                            "seed %d, %s, %s: complete since %d, the whole log gives %s, found %s",
                            seed, event, spec, since.get(spec.name()), oracle, actual);
                }
            } else if (!same) {
                partial++;
            }
        }
    }

    private void process(TestRecord test) {
        LogRecord record = new LogRecord();
        test.fill(record, offset);
        outputs.clear();
        scorer.process(record, outputs);
        offset++;
    }

    /** What came of the last record. */
    private static final class Recorder extends Outputs {
        private ScoredEvent scored;
        private ScoredSchema schema;
        private Reason refused;

        void clear() {
            scored = null;
            refused = null;
        }

        @Override
        public void scored(ScoredView event) {
            scored = Json.decode(event.encode(), ScoredEvent.class);
        }

        @Override
        public void schema(byte[] bytes) {
            schema = Json.decode(bytes, ScoredSchema.class);
            assertThat(new String(bytes, StandardCharsets.UTF_8)).contains("\"features\"");
        }

        @Override
        public void deadLetter(LogRecord record, Reason reason, String detail) {
            refused = reason;
        }
    }
}
