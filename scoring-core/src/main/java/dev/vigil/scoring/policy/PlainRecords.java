package dev.vigil.scoring.policy;

import dev.vigil.config.ConfigNode;
import dev.vigil.config.OneLine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The policy's {@code plain} section: how a record of the log that has no CloudEvents headers, but is a JSON object as its
 * producer made it, becomes an event. A path leads through objects by member names.
 *
 * @param source of the event's identity
 * @param type of every event; absent where {@code typePath} leads to it
 * @param id leads to the event's id
 * @param time leads to the event's time
 * @param timeUnit in which it stands there
 * @param account leads to the account; absent: the record's key
 * @param data leads to the object that has the event's fields; empty: the record itself
 */
public record PlainRecords(
        String source,
        @Nullable String type,
        @Nullable List<String> typePath,
        List<String> id,
        List<String> time,
        TimeUnit timeUnit,
        @Nullable List<String> account,
        List<String> data) {

    /** As the HTTP intake has it. */
    private static final int MAX_SOURCE = 256;

    /** Deeper than any record that has a reader. */
    private static final int MAX_PATH = 32;

    /** How a time is written. */
    public enum TimeUnit {
        RFC3339(0),
        S(1_000_000),
        MS(1_000),
        US(1);

        private final long unitUs;

        TimeUnit(long unitUs) {
            this.unitUs = unitUs;
        }

        /** Microseconds in one of the unit; 0 for a text. */
        public long unitUs() {
            return unitUs;
        }

        static TimeUnit parse(String text) {
            for (TimeUnit unit : values()) {
                if (unit.name().toLowerCase(java.util.Locale.ROOT).equals(text)) {
                    return unit;
                }
            }
            throw new IllegalArgumentException(text);
        }
    }

    static PlainRecords from(ConfigNode node, List<EventDeclaration> events) {
        node.knownKeys("source", "type", "id", "time", "account", "data");
        ConfigNode type = node.require("type");
        ConfigNode time = node.require("time");
        PlainRecords plain = new PlainRecords(
                source(node.require("source")),
                type.isMapping() ? null : knownType(type, events),
                type.isMapping() ? path(type.knownKeys("path").require("path")) : null,
                path(node.require("id")),
                time.isMapping() ? path(time.knownKeys("path", "unit").require("path")) : path(time),
                time.isMapping() ? time.get("unit", TimeUnit.RFC3339, PlainRecords::timeUnit) : TimeUnit.RFC3339,
                node.find("account").map(PlainRecords::path).orElse(null),
                node.find("data").map(PlainRecords::path).orElse(List.of()));
        plain.requirePossible(node);
        return plain;
    }

    /** The part of every event's identity that the log does not have; what an event's own would have to be. */
    private static String source(ConfigNode node) {
        String source = node.text();
        if (source.isEmpty()) {
            throw node.error("expected a source such as /payments, found an empty text");
        }
        if (source.length() > MAX_SOURCE) {
            throw node.error("expected a source of at most " + MAX_SOURCE + " characters, found " + source.length());
        }
        if (source.codePoints()
                .anyMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)) {
            throw node.error("expected a source without control characters and half surrogate pairs, found '"
                    + OneLine.shortened(source) + "'");
        }
        return source;
    }

    /** No part stands where another does, or within one that is no object. */
    private void requirePossible(ConfigNode node) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        values.put("id", id);
        values.put("time", time);
        if (typePath != null) {
            values.put("type", typePath);
        }
        if (account != null) {
            values.put("account", account);
        }
        Map<String, List<String>> all = new LinkedHashMap<>(values);
        if (!data.isEmpty()) {
            all.put("data", data);
        }
        all.forEach((part, path) -> values.forEach((other, value) -> {
            boolean isWithin =
                    path.size() > value.size() && path.subList(0, value.size()).equals(value);
            if (!part.equals(other) && path.equals(value)) {
                throw node.require(part)
                        .error("expected one thing at " + shown(path) + ", found two: " + other + " and " + part);
            }
            if (isWithin) {
                throw node.require(part)
                        .error("expected a path that can be, found " + shown(path) + " within " + shown(value)
                                + ", which is the " + other);
            }
        }));
    }

    private static String shown(List<String> path) {
        return OneLine.shortened(String.join(".", path));
    }

    private static TimeUnit timeUnit(ConfigNode node) {
        return node.read("rfc3339, s, ms or us", TimeUnit::parse);
    }

    private static String knownType(ConfigNode node, List<EventDeclaration> events) {
        List<String> known = events.stream().map(EventDeclaration::type).toList();
        if (!known.contains(node.text())) {
            throw node.unknown("unknown event type", node.text(), known);
        }
        return node.text();
    }

    private static List<String> path(ConfigNode node) {
        List<String> path = List.of(node.text().split("\\.", -1));
        if (path.stream().anyMatch(String::isEmpty)) {
            throw node.expected("a path such as payment.id");
        }
        if (path.size() > MAX_PATH) {
            throw node.error("expected a path of at most " + MAX_PATH + " member names, found " + path.size());
        }
        return path;
    }
}
