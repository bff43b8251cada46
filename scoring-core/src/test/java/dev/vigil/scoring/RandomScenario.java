package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;

import dev.vigil.event.EventTimes;
import dev.vigil.event.FieldType;
import dev.vigil.scoring.NaivePartition.Expected;
import dev.vigil.scoring.WindowSpec.Where;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;

/** A random policy, and a random stream under it and its successors, with what must become of each record. */
final class RandomScenario {
    private static final List<String> STARTS =
            List.of("2026-03-01T00:00:00Z", "1969-12-31T23:00:00Z", "0001-01-01T00:00:01Z", "9998-12-31T22:00:00Z");
    private static final List<FieldType> TYPES_OF_X =
            List.of(FieldType.LONG, FieldType.MONEY, FieldType.DOUBLE, FieldType.STRING);
    private static final List<Where> WHERES = List.of(
            Where.ALL,
            Where.ALL,
            new Where("amount > 10.0", e -> money(e) != null && money(e) / 100.0 > 10.0),
            new Where("amount <= 0.0", e -> money(e) != null && money(e) <= 0),
            new Where("ok", e -> Boolean.TRUE.equals(e.value("ok", FieldType.BOOL))),
            new Where("!ok", e -> Boolean.FALSE.equals(e.value("ok", FieldType.BOOL))),
            new Where("merchant == 'm1'", e -> "m1".equals(e.value("merchant", FieldType.STRING))),
            new Where(
                    "!present(merchant) || amount > 100.0",
                    e -> e.value("merchant", FieldType.STRING) == null || money(e) != null && money(e) > 10_000));

    private static Long money(NaiveEvent event) {
        return (Long) event.value("amount", FieldType.MONEY);
    }

    final Random random;
    final PartitionScorerTester tester = new PartitionScorerTester();
    final List<Expected> expected = new ArrayList<>();
    final NaivePartition model = new NaivePartition();
    private final List<String> ids = new ArrayList<>();
    private final int accounts;
    private final double meanGapUs;
    private final int percentOutOfOrder;
    /** Times and lengths are multiples of it; large in half of the scenarios, so that events stand on windows' edges. */
    private final long grainUs;

    /** Of the events, mostly late, beside those that are anyhow. */
    int percentLate;

    private long nowUs;
    private int version;

    /**
     * @param accounts of which the first gets most events
     * @param percentOutOfOrder of the events, beside those meant to be late
     */
    RandomScenario(long seed, int accounts, double meanGapSeconds, int percentOutOfOrder) {
        this.percentOutOfOrder = percentOutOfOrder;
        this.random = new Random(seed);
        this.accounts = accounts;
        this.meanGapUs = meanGapSeconds * SECOND;
        this.grainUs = random.nextBoolean() ? 1 : 10 * SECOND;
        this.nowUs = EventTimes.parse(STARTS.get(random.nextInt(STARTS.size())));
    }

    void changePolicy() {
        Map<String, Map<String, FieldType>> declared = new LinkedHashMap<>();
        declared.put("tx", txFields());
        if (random.nextInt(8) > 0) {
            declared.put("login", new LinkedHashMap<>(Map.of("ok", FieldType.BOOL)));
        }
        List<WindowSpec> specs = new ArrayList<>();
        // Keeps what must be remembered the same under every policy.
        specs.add(spec("longest", "count", "tx", Where.ALL, NaivePartition.LONGEST_US, 0, false));
        for (String aggregate : List.of("count", "elapsed_since", "since_newest", "geo_speed", "rate")) {
            specs.addAll(ofEvents(aggregate, declared));
        }
        declared.get("tx").forEach((field, type) -> specs.addAll(ofField(field, type)));
        expected.add(new Expected(dev.vigil.scoring.state.TaskState.End.CONTROL, Map.of(), false));
        tester.add(TestRecord.policy(yaml(declared, specs)).withIngestTimeMs(Math.floorDiv(nowUs, 1_000L)));
        model.activate(declared, specs);
    }

    private Map<String, FieldType> txFields() {
        Map<String, FieldType> all = new LinkedHashMap<>();
        all.put("amount", FieldType.MONEY);
        all.put("merchant", FieldType.STRING);
        all.put("ok", FieldType.BOOL);
        all.put("lat", FieldType.DOUBLE);
        all.put("lon", FieldType.DOUBLE);
        if (random.nextInt(4) > 0) {
            all.put("x", TYPES_OF_X.get(random.nextInt(TYPES_OF_X.size())));
        }
        if (random.nextInt(3) > 0) {
            all.put("seen", FieldType.TIMESTAMP);
        }
        if (random.nextInt(3) > 0) {
            all.put("quantity", FieldType.LONG);
        }
        List<String> order = new ArrayList<>(all.keySet());
        java.util.Collections.shuffle(order, random);
        Map<String, FieldType> shuffled = new LinkedHashMap<>();
        order.forEach(name -> shuffled.put(name, all.get(name)));
        return shuffled;
    }

    private List<WindowSpec> ofEvents(String aggregate, Map<String, Map<String, FieldType>> declared) {
        List<WindowSpec> specs = new ArrayList<>();
        specs.add(random(aggregate, "tx", null, null, aggregate.equals("rate") ? "fraud" : null));
        if (declared.containsKey("login") && !aggregate.equals("geo_speed")) {
            specs.add(random(aggregate, "login", null, null, aggregate.equals("rate") ? "fraud" : null));
        }
        return specs;
    }

    private List<WindowSpec> ofField(String field, FieldType type) {
        List<String> aggregates = new ArrayList<>(List.of("distinct", "first", "last", "nth_last"));
        if (type == FieldType.MONEY || type == FieldType.LONG) {
            aggregates.addAll(List.of("sum", "avg", "stddev"));
        }
        if (type != FieldType.STRING && type != FieldType.BOOL) {
            aggregates.addAll(List.of("min", "max"));
        }
        if (type == FieldType.BOOL) {
            aggregates.add("rate");
        }
        List<WindowSpec> specs = new ArrayList<>();
        for (String aggregate : aggregates) {
            if (field.equals("amount") || random.nextInt(3) == 0) {
                specs.add(random(aggregate, "tx", field, type, null));
            }
        }
        return specs;
    }

    private WindowSpec random(String aggregate, String eventType, String field, FieldType type, String label) {
        Where where = eventType.equals("tx") ? WHERES.get(random.nextInt(WHERES.size())) : Where.ALL;
        boolean looksBack =
                List.of("elapsed_since", "since_newest", "geo_speed").contains(aggregate);
        boolean delays = random.nextInt(3) == 0 && !aggregate.equals("since_newest");
        long delayUs = delays ? grained(random.nextInt(3_600) * SECOND) : 0;
        long overUs = grained((long) (random.nextDouble() * random.nextDouble() * 2 * HOUR));
        overUs = Math.min(NaivePartition.LONGEST_US - delayUs, 10 * SECOND + overUs);
        boolean prior = random.nextBoolean() || looksBack;
        WindowSpec spec = spec(
                (aggregate.equals("geo_speed") ? "speed" : "f") + ++version,
                aggregate,
                eventType,
                where,
                overUs / 1_000 * 1_000,
                delayUs,
                prior);
        return new WindowSpec(
                spec.name(),
                aggregate,
                eventType,
                field,
                type,
                label,
                aggregate.equals("nth_last") ? 1 + random.nextInt(4) : 0,
                where,
                spec.overUs(),
                delayUs,
                prior);
    }

    private static WindowSpec spec(
            String name, String aggregate, String type, Where where, long overUs, long delayUs, boolean prior) {
        return new WindowSpec(name, aggregate, type, null, null, null, 0, where, overUs, delayUs, prior);
    }

    private String yaml(Map<String, Map<String, FieldType>> declared, List<WindowSpec> specs) {
        StringBuilder yaml = new StringBuilder("policy: random\nversion: " + ++version + "\ncurrency: EUR\n"
                + "time: {out_of_orderness: 10s, allowed_lateness: 10m, max_future_skew: 5m, late: "
                + (model.correctWithinUs < 0
                        ? "drop"
                        : "update, correct_within: " + model.correctWithinUs / 1_000 + "ms")
                + "}\nevents:\n");
        declared.forEach((type, fields) -> yaml.append("  ")
                .append(type)
                .append(": {fields: {")
                .append(fields.entrySet().stream()
                        .map(field -> field.getKey() + ": " + field.getValue().label())
                        .collect(Collectors.joining(", ")))
                .append("}}\n"));
        yaml.append("features:\n");
        specs.forEach(spec -> yaml.append(spec.yaml()));
        return yaml.toString();
    }

    /** @param wantFeatures share of events whose features are computed for comparison */
    void event(double wantFeatures) {
        int kind = random.nextInt(100);
        nowUs += grained(gap());
        if (kind < 4 && !ids.isEmpty()) {
            label();
            return;
        }
        boolean repeat = kind < 8 && !ids.isEmpty();
        String id = repeat ? ids.get(Math.max(0, ids.size() - 1 - random.nextInt(400))) : "e" + ids.size();
        String account = repeat ? accountOf(id) : "acc" + (random.nextInt(10) < 8 ? 0 : random.nextInt(accounts));
        boolean backfill = kind == 8;
        long timeUs = Math.max(EventTimes.MIN_US, nowUs + grained(shift(kind)));
        String type = random.nextInt(6) == 0 ? "login" : "tx";
        long ingestTimeMs = Math.floorDiv(nowUs, 1_000L);
        if (!repeat) {
            ids.add(id);
            accountOf.put(id, account);
        }
        Map<String, String> fields = fields(type);
        NaiveEvent event = new NaiveEvent(tester.nextOffset(), type, id, timeUs);
        expected.add(model.event(event, account, ingestTimeMs, backfill, fields, random.nextDouble() < wantFeatures));
        TestRecord record = TestRecord.event(type, id, timeUs, json(fields))
                .withAccount(account)
                .withIngestTimeMs(ingestTimeMs);
        tester.add(backfill ? record.asBackfill() : record);
    }

    private final Map<String, String> accountOf = new LinkedHashMap<>();

    private String accountOf(String id) {
        return Objects.requireNonNull(accountOf.get(id));
    }

    private long grained(long spanUs) {
        return spanUs / grainUs * grainUs;
    }

    private long gap() {
        return switch (random.nextInt(10)) {
            case 0, 1 -> 0;
            case 2 -> random.nextInt(3) * 1_000L;
            default -> (long) (random.nextDouble() * 2.5 * meanGapUs);
        };
    }

    private long shift(int kind) {
        if (kind >= 100 - percentLate) {
            return -(long) (random.nextDouble() * 40 * MINUTE);
        }
        if (kind == 8) {
            return -(long) (random.nextDouble() * 3 * HOUR);
        }
        if (kind == 9) {
            return -(long) (random.nextDouble() * 30 * MINUTE);
        }
        if (kind == 10) {
            return random.nextInt(2) * 10 * MINUTE;
        }
        return kind < 11 + percentOutOfOrder ? -(random.nextInt(9 * 60) * SECOND) : 0;
    }

    private void label() {
        String id = ids.get(Math.max(0, ids.size() - 1 - random.nextInt(300)));
        boolean value = random.nextInt(4) > 0;
        String label = random.nextInt(5) > 0 ? "fraud" : "other";
        model.label(accountOf(id), id, label, value);
        expected.add(new Expected(dev.vigil.scoring.state.TaskState.End.LABEL, Map.of(), false));
        tester.add(TestRecord.label(id, label, value).withAccount(accountOf(id)));
    }

    private Map<String, String> fields(String type) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("ok", oneOf("true", "false"));
        if (type.equals("tx")) {
            fields.put("amount", amount());
            fields.put(
                    "merchant", oneOf("\"m1\"", "\"m2\"", "\"m" + random.nextInt(40) + "\"", "\"\u00e9\ud83d\ude00\""));
            fields.put("lat", oneOf("0", "-0.0", "48.1", Double.toString(random.nextDouble() * 180 - 90)));
            fields.put("lon", oneOf("0", "0.0", "11.5", Double.toString(random.nextDouble() * 360 - 180)));
            fields.put("x", oneOf("0", "7", "-3", Integer.toString(random.nextInt(1_000))));
            fields.put("seen", Long.toString(random.nextInt() * 1_000L));
            fields.put("quantity", oneOf("1", "-1", "\"12\"", Long.toString(random.nextLong() >> random.nextInt(64))));
        }
        fields.replaceAll((name, literal) -> random.nextInt(10) == 0 ? "null" : literal);
        fields.values().removeIf(literal -> literal.equals("null") && random.nextBoolean());
        return fields;
    }

    private String amount() {
        return switch (random.nextInt(12)) {
            case 0 -> "0";
            case 1 -> "-12.5";
            case 2 -> "\"-0.00\"";
            case 3 -> "1e2";
            case 4 -> random.nextInt(5) == 0 ? "92233720368547758.07" : "-3.10";
            case 5 -> random.nextInt(5) == 0 ? "-92233720368547758.08" : "3";
            default -> random.nextInt(200) + "." + random.nextInt(10) + random.nextInt(10);
        };
    }

    private String oneOf(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static String json(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> "\"" + field.getKey() + "\":" + field.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }
}
