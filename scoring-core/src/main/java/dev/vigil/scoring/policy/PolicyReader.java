package dev.vigil.scoring.policy;

import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import dev.vigil.config.ConfigNode;
import dev.vigil.config.OneLine;
import dev.vigil.event.Decision;
import dev.vigil.event.FieldType;
import dev.vigil.event.MinorUnits;
import dev.vigil.scoring.policy.TimeRules.LatePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads a policy from YAML. Expressions are kept as text with their place; {@code ScoringPlan} checks them. */
public final class PolicyReader {
    private PolicyReader() {}

    /**
     * @param fileName how complaints name the document
     * @throws ConfigException with file, line, column and field of the first thing that cannot be meant
     */
    public static Policy read(String fileName, String text) {
        ConfigNode root = ConfigDocument.parse(fileName, text, PolicyLimits.TEXT_BYTES);
        root.find("model").ifPresent(model -> {
            throw model.error("models are not supported by this version; leave 'model' out");
        });
        root.knownKeys(
                "policy",
                "version",
                "currency",
                "time",
                "events",
                "plain",
                "reference",
                "features",
                "summaries",
                "lists",
                "rules",
                "decisions",
                "alerts");
        PolicyNames names = new PolicyNames();
        Map<String, EventDeclaration> events = events(root.require("events"), names);
        List<Policy.Threshold> decisions =
                root.find("decisions").map(PolicyReader::decisions).orElse(List.of());
        return new Policy(
                PolicyNames.policy(root.require("policy")),
                root.require("version").integerBetween(1, Integer.MAX_VALUE),
                currency(root.require("currency")),
                time(root.find("time")),
                List.copyOf(events.values()),
                root.find("plain")
                        .map(node -> PlainRecords.from(node, List.copyOf(events.values())))
                        .orElse(null),
                references(root),
                features(root, events, names),
                summaries(root, events),
                lists(root, events, names),
                rules(root),
                decisions,
                alerts(root, events),
                text);
    }

    private static MinorUnits currency(ConfigNode node) {
        try {
            return MinorUnits.of(OneLine.shortened(node.text()));
        } catch (IllegalArgumentException e) {
            throw node.error(e.getMessage());
        }
    }

    private static TimeRules time(Optional<ConfigNode> section) {
        Duration outOfOrderness = Duration.ofSeconds(30);
        Duration allowedLateness = Duration.ofHours(1);
        Duration maxFutureSkew = Duration.ofMinutes(5);
        LatePolicy late = LatePolicy.SIDE_OUTPUT;
        Duration correctWithin = Duration.ZERO;
        if (section.isPresent()) {
            ConfigNode node = section.get()
                    .knownKeys("out_of_orderness", "allowed_lateness", "max_future_skew", "late", "correct_within");
            outOfOrderness = node.get("out_of_orderness", outOfOrderness, ConfigNode::duration);
            allowedLateness = node.get("allowed_lateness", allowedLateness, ConfigNode::duration);
            maxFutureSkew = node.get("max_future_skew", maxFutureSkew, ConfigNode::duration);
            late = node.get("late", late, PolicyReader::late);
            correctWithin = correctWithin(node, late);
        }
        return new TimeRules(
                outOfOrderness.toMillis() * 1_000,
                allowedLateness.toMillis() * 1_000,
                maxFutureSkew.toMillis() * 1_000,
                late,
                correctWithin.toMillis() * 1_000);
    }

    private static Duration correctWithin(ConfigNode node, LatePolicy late) {
        if (late == LatePolicy.UPDATE) {
            return node.get("correct_within", Duration.ofDays(1), ConfigNode::duration);
        }
        node.find("correct_within").ifPresent(within -> {
            throw within.error("only 'late: update' takes 'correct_within'");
        });
        return Duration.ZERO;
    }

    private static LatePolicy late(ConfigNode node) {
        return switch (node.text()) {
            case "drop" -> LatePolicy.DROP;
            case "side_output" -> LatePolicy.SIDE_OUTPUT;
            case "update" -> LatePolicy.UPDATE;
            default -> throw node.expected("drop, side_output or update");
        };
    }

    private static Map<String, EventDeclaration> events(ConfigNode section, PolicyNames names) {
        Map<String, EventDeclaration> events = new LinkedHashMap<>();
        section.requireAtMost(PolicyLimits.EVENT_TYPES, "event types");
        for (String type : section.keys()) {
            ConfigNode node = section.require(type).knownKeys("account", "fields");
            PolicyNames.eventType(node, type);
            String account = node.get("account", "account_id", ConfigNode::text);
            Map<String, FieldType> fields = fields(node);
            fields.keySet().forEach(name -> names.take(node.require("fields").require(name), name));
            requireSameTypes(node, fields, events.values());
            events.put(type, new EventDeclaration(type, account, fields));
        }
        if (events.isEmpty()) {
            throw section.error("expected at least one event type");
        }
        return events;
    }

    /** Expressions read a field of whatever type of event it is, by its name alone. */
    private static void requireSameTypes(
            ConfigNode node, Map<String, FieldType> fields, Collection<EventDeclaration> others) {
        for (EventDeclaration other : others) {
            fields.forEach((name, type) -> {
                FieldType known = other.fields().getOrDefault(name, type);
                if (known != type) {
                    throw node.require("fields")
                            .require(name)
                            .expected(known.label() + ", as in event type " + other.type());
                }
            });
        }
    }

    private static Map<String, FieldType> fields(ConfigNode node) {
        Map<String, FieldType> fields = new LinkedHashMap<>();
        PolicyNames names = new PolicyNames();
        node.find("fields").ifPresent(section -> {
            section.requireAtMost(PolicyLimits.FIELDS, "fields");
            for (String name : section.keys()) {
                ConfigNode type = section.require(name);
                names.take(type, PolicyNames.field(type, name));
                fields.put(name, type.read("string, long, double, bool, timestamp or money", FieldType::parse));
            }
        });
        return fields;
    }

    private static List<ReferenceDeclaration> references(ConfigNode root) {
        List<ReferenceDeclaration> references = new ArrayList<>();
        root.find("reference").ifPresent(section -> {
            section.requireAtMost(PolicyLimits.REFERENCES, "references");
            for (String name : section.keys()) {
                ConfigNode node = section.require(name).knownKeys("fields");
                PolicyNames.requireReadable(node, PolicyNames.lowerCase(node, name));
                references.add(new ReferenceDeclaration(name, fields(node)));
            }
        });
        return references;
    }

    private static List<FeatureDeclaration> features(
            ConfigNode root, Map<String, EventDeclaration> events, PolicyNames names) {
        List<FeatureDeclaration> features = new ArrayList<>();
        FeatureReader reader = new FeatureReader(events);
        root.find("features").ifPresent(section -> {
            section.requireAtMost(PolicyLimits.FEATURES, "features");
            for (String name : section.keys()) {
                ConfigNode node = section.require(name);
                PolicyNames.requireReadable(node, PolicyNames.field(node, name));
                names.take(node, name);
                features.add(reader.read(name, node));
            }
        });
        return features;
    }

    private static List<SummaryDeclaration> summaries(ConfigNode root, Map<String, EventDeclaration> events) {
        List<SummaryDeclaration> summaries = new ArrayList<>();
        SummaryReader reader = new SummaryReader(new FeatureReader(events));
        root.find("summaries").ifPresent(section -> {
            section.requireAtMost(PolicyLimits.SUMMARIES, "summaries");
            for (String name : section.keys()) {
                ConfigNode node = section.require(name);
                PolicyNames.requireNoMeaning(node, PolicyNames.lowerCase(node, name));
                summaries.add(reader.read(name, node));
            }
        });
        return summaries;
    }

    private static List<ValueList> lists(ConfigNode root, Map<String, EventDeclaration> events, PolicyNames names) {
        List<ValueList> lists = new ArrayList<>();
        root.find("lists").ifPresent(section -> {
            section.requireAtMost(PolicyLimits.LISTS, "lists");
            for (String name : section.keys()) {
                ConfigNode node = section.require(name).knownKeys("field", "values");
                PolicyNames.requireNoMeaning(node, PolicyNames.lowerCase(node, name));
                PolicyNames.requireReadable(node, name);
                names.take(node, name);
                if (events.values().stream().anyMatch(event -> event.fields().containsKey(name))) {
                    throw node.keyError("the name '" + name + "' is taken by a field");
                }
                ConfigNode field = node.require("field");
                requireTextField(field, events);
                Set<String> values = new HashSet<>();
                node.find("values").ifPresent(items -> items.items().forEach(item -> values.add(item.text())));
                lists.add(new ValueList(name, field.text(), values));
            }
        });
        return lists;
    }

    /** {@code account}, or a string field of some event type. */
    private static void requireTextField(ConfigNode place, Map<String, EventDeclaration> events) {
        Set<String> known = new TreeSet<>(Set.of("account"));
        for (EventDeclaration event : events.values()) {
            event.fields().forEach((name, type) -> {
                if (type == FieldType.STRING) {
                    known.add(name);
                }
            });
        }
        if (!known.contains(place.text())) {
            throw place.unknown("unknown string field", place.text(), known);
        }
    }

    private static List<RuleDeclaration> rules(ConfigNode root) {
        List<RuleDeclaration> rules = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        root.find("rules").ifPresent(section -> {
            section.requireAtMost(PolicyLimits.RULES, "rules");
            for (ConfigNode node : section.items()) {
                node.knownKeys("id", "when", "score", "reason", "shadow");
                String id = PolicyNames.ruleId(node.require("id"));
                if (!ids.add(id)) {
                    throw node.require("id").error("a rule '" + id + "' stands above already");
                }
                rules.add(new RuleDeclaration(
                        id,
                        node.require("when"),
                        node.require("score").integerBetween(0, 1_000),
                        node.get("reason", id, ConfigNode::text),
                        node.get("shadow", false, ConfigNode::bool)));
            }
        });
        return rules;
    }

    private static List<Policy.Threshold> decisions(ConfigNode section) {
        List<Policy.Threshold> thresholds = new ArrayList<>();
        for (ConfigNode item : section.items()) {
            item.knownKeys("decline", "review");
            for (String label : item.keys()) {
                thresholds.add(new Policy.Threshold(
                        Decision.parse(label), item.require(label).integerBetween(1, 1_000_000)));
            }
        }
        for (int i = 1; i < thresholds.size(); i++) {
            Policy.Threshold higher = thresholds.get(i - 1);
            Policy.Threshold lower = thresholds.get(i);
            if (lower.score() >= higher.score() || lower.decision().compareTo(higher.decision()) >= 0) {
                throw section.error("expected the severest decision with the highest score first");
            }
        }
        return thresholds;
    }

    private static Policy.AlertRule alerts(ConfigNode root, Map<String, EventDeclaration> events) {
        EnumSet<Decision> on = EnumSet.of(Decision.REVIEW, Decision.DECLINE);
        if (root.find("alerts").isEmpty()) {
            return new Policy.AlertRule(on, "account", 0);
        }
        ConfigNode node = root.require("alerts").knownKeys("on", "group_by", "cooldown");
        if (node.has("on")) {
            on.clear();
            for (ConfigNode item : node.require("on").items()) {
                on.add(item.read("approve, review or decline", Decision::parse));
            }
        }
        String groupBy = node.get("group_by", "account", field -> {
            requireTextField(field, events);
            return field.text();
        });
        long cooldownMs =
                node.get("cooldown", Duration.ZERO, ConfigNode::duration).toMillis();
        return new Policy.AlertRule(on, groupBy, cooldownMs);
    }
}
