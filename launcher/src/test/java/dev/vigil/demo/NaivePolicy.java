package dev.vigil.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelUnknownSet;
import dev.vigil.config.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.DoubleStream;

/**
 * A brute-force reading of a policy file: every feature by a scan over all events of the account, every expression by CEL's
 * own runtime. Far too slow for anything but an oracle of the scoring core.
 */
final class NaivePolicy {
    /** An event of one account; fields that are absent are left out, amounts are euros. */
    record Event(String type, long timeMs, Map<String, Object> fields) {}

    record Verdict(int score, TreeSet<String> rules, Map<String, Object> features) {}

    private record Feature(String name, JsonNode definition, Optional<CelRuntime.Program> program) {}

    private record Rule(String id, int score, CelRuntime.Program when) {}

    private final JsonNode policy;
    private final Cel cel;
    private final List<Feature> features = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();

    NaivePolicy(Path file) throws IOException {
        policy = new YAMLMapper().readTree(file.toFile());
        CelBuilder builder = CelFactory.legacyCelBuilder()
                .setOptions(CelOptions.current()
                        .enableHeterogeneousNumericComparisons(true)
                        .build())
                .addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(
                        "max",
                        CelOverloadDecl.newGlobalOverload(
                                "max_double", SimpleType.DOUBLE, SimpleType.DOUBLE, SimpleType.DOUBLE)))
                .addFunctionBindings(CelFunctionBinding.from("max_double", Double.class, Double.class, Math::max))
                .addVar("account", MapType.create(SimpleType.STRING, SimpleType.DYN));
        Map<String, CelType> types = new LinkedHashMap<>();
        policy.get("events")
                .forEach(event -> event.get("fields")
                        .properties()
                        .forEach(field ->
                                types.put(field.getKey(), type(field.getValue().asText()))));
        policy.get("features").properties().forEach(f -> types.put(f.getKey(), featureType(f.getValue(), types)));
        policy.get("lists").fieldNames().forEachRemaining(name -> types.put(name, SimpleType.BOOL));
        types.forEach(builder::addVar);
        cel = builder.build();
        policy.get("features").properties().forEach(f -> {
            String text =
                    f.getValue().path("expr").asText(f.getValue().path("where").asText(""));
            features.add(new Feature(
                    f.getKey(), f.getValue(), text.isEmpty() ? Optional.empty() : Optional.of(program(text))));
        });
        policy.get("rules")
                .forEach(rule -> rules.add(new Rule(
                        rule.get("id").asText(),
                        rule.get("score").asInt(),
                        program(rule.get("when").asText()))));
    }

    /** @param known all events of the account so far, the one at hand last */
    Verdict judge(List<Event> known, Map<String, Object> account) {
        Event event = known.get(known.size() - 1);
        Map<String, Object> values = new HashMap<>(event.fields());
        values.put("account", account);
        policy.get("lists").properties().forEach(list -> {
            Object field = event.fields().get(list.getValue().get("field").asText());
            boolean listed = false;
            for (JsonNode value : list.getValue().get("values")) {
                listed |= value.asText().equals(field);
            }
            values.put(list.getKey(), listed);
        });
        Map<String, Object> computed = new LinkedHashMap<>();
        for (Feature feature : features) {
            compute(feature, known, values).ifPresent(value -> {
                computed.put(feature.name(), value);
                values.put(feature.name(), value);
            });
        }
        TreeSet<String> hits = new TreeSet<>();
        int score = 0;
        for (Rule rule : rules) {
            if (evaluate(rule.when(), values).equals(Optional.of(true))) {
                hits.add(rule.id());
                score += rule.score();
            }
        }
        return new Verdict(score, hits, computed);
    }

    private static Optional<Object> compute(Feature feature, List<Event> known, Map<String, Object> values) {
        JsonNode definition = feature.definition();
        if (definition.has("expr")) {
            return evaluate(feature.program().orElseThrow(), values);
        }
        String aggregate = definition.fieldNames().next();
        String[] target = definition.get(aggregate).asText().split("\\.");
        Event now = known.get(known.size() - 1);
        boolean prior = definition.path("prior").asBoolean()
                || aggregate.equals("elapsed_since")
                || aggregate.equals("geo_speed");
        long spanMs = definition.has("over")
                ? Durations.parse(definition.get("over").asText()).toMillis()
                : Long.MAX_VALUE / 2;
        List<Event> window = known.stream()
                .limit(known.size() - (prior ? 1 : 0))
                .filter(e -> e.type().equals(target[0]))
                .filter(e -> now.timeMs() - spanMs < e.timeMs() && e.timeMs() <= now.timeMs())
                .filter(e -> definition.path("where").isMissingNode()
                        || evaluate(feature.program().orElseThrow(), e.fields()).equals(Optional.of(true)))
                .sorted((a, b) -> Long.compare(a.timeMs(), b.timeMs()))
                .toList();
        List<Object> cells = target.length == 1
                ? List.of()
                : window.stream()
                        .filter(e -> e.fields().containsKey(target[1]))
                        .map(e -> e.fields().get(target[1]))
                        .toList();
        return switch (aggregate) {
            case "count" -> Optional.of((long) window.size());
            case "distinct" -> Optional.of(cells.stream().distinct().count());
            case "last" -> cells.isEmpty() ? Optional.empty() : Optional.of(cells.get(cells.size() - 1));
            case "sum" -> Optional.of(numbers(cells).sum());
            case "avg" ->
                cells.isEmpty()
                        ? Optional.empty()
                        : Optional.of(numbers(cells).average().orElseThrow());
            case "max" ->
                cells.isEmpty()
                        ? Optional.empty()
                        : Optional.of(numbers(cells).max().orElseThrow());
            case "stddev" -> cells.size() < 2 ? Optional.empty() : Optional.of(deviation(cells));
            case "elapsed_since" ->
                window.isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                (now.timeMs() - window.get(window.size() - 1).timeMs()) / 1000.0);
            case "geo_speed" -> speed(window, now);
            default -> throw new IllegalArgumentException("not known here: " + aggregate);
        };
    }

    private static Optional<Object> speed(List<Event> window, Event now) {
        List<Event> located =
                window.stream().filter(e -> e.fields().containsKey("lat")).toList();
        if (located.isEmpty() || !now.fields().containsKey("lat")) {
            return Optional.empty();
        }
        Event before = located.get(located.size() - 1);
        double km = kilometres(before.fields(), now.fields());
        return Optional.of(km / (Math.max(1_000, now.timeMs() - before.timeMs()) / 3_600_000.0));
    }

    /** By the chord between the two points as vectors. */
    private static double kilometres(Map<String, Object> a, Map<String, Object> b) {
        double[] p = vector(a);
        double[] q = vector(b);
        double chord = Math.sqrt(Math.pow(p[0] - q[0], 2) + Math.pow(p[1] - q[1], 2) + Math.pow(p[2] - q[2], 2));
        return 2 * 6371.0088 * Math.asin(Math.min(1, chord / 2));
    }

    private static double[] vector(Map<String, Object> place) {
        double lat = Math.toRadians((Double) place.get("lat"));
        double lon = Math.toRadians((Double) place.get("lon"));
        return new double[] {Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)};
    }

    private static double deviation(List<Object> cells) {
        double mean = numbers(cells).average().orElseThrow();
        return Math.sqrt(numbers(cells).map(x -> (x - mean) * (x - mean)).sum() / (cells.size() - 1));
    }

    private static DoubleStream numbers(List<Object> cells) {
        return cells.stream().mapToDouble(cell -> (Double) cell);
    }

    private CelRuntime.Program program(String text) {
        try {
            return cel.createProgram(cel.compile(text).getAst());
        } catch (CelValidationException | CelEvaluationException e) {
            throw new IllegalArgumentException(text + ": " + e.getMessage(), e);
        }
    }

    /** Empty where a value that decides is absent. */
    private static Optional<Object> evaluate(CelRuntime.Program program, Map<String, Object> values) {
        try {
            return Optional.of(program.eval(values)).filter(value -> !(value instanceof CelUnknownSet));
        } catch (CelEvaluationException e) {
            return Optional.empty();
        }
    }

    private static CelType type(String name) {
        return switch (name) {
            case "money", "double" -> SimpleType.DOUBLE;
            case "string" -> SimpleType.STRING;
            case "bool" -> SimpleType.BOOL;
            default -> throw new IllegalArgumentException("not known here: " + name);
        };
    }

    private static CelType featureType(JsonNode definition, Map<String, CelType> types) {
        String aggregate = definition.fieldNames().next();
        return switch (aggregate) {
            case "count", "distinct" -> SimpleType.INT;
            case "last" -> types.get(definition.get(aggregate).asText().split("\\.")[1]);
            default -> SimpleType.DOUBLE;
        };
    }
}
