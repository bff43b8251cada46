package dev.vigil.scoring.policy;

import dev.vigil.config.ConfigNode;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
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
                node.require("source").text(),
                type.isMapping() ? null : knownType(type, events),
                type.isMapping() ? path(type.knownKeys("path").require("path")) : null,
                path(node.require("id")),
                time.isMapping() ? path(time.knownKeys("path", "unit").require("path")) : path(time),
                time.isMapping() ? time.get("unit", TimeUnit.RFC3339, PlainRecords::timeUnit) : TimeUnit.RFC3339,
                node.find("account").map(PlainRecords::path).orElse(null),
                node.find("data").map(PlainRecords::path).orElse(List.of()));
        Set<List<String>> distinct = new HashSet<>();
        for (List<String> path : plain.paths()) {
            if (!distinct.add(path)) {
                throw node.error("expected one thing at " + String.join(".", path) + ", found two");
            }
        }
        return plain;
    }

    private List<List<String>> paths() {
        return Stream.of(id, time, typePath, account, data.isEmpty() ? null : data)
                .filter(Objects::nonNull)
                .toList();
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
        return path;
    }
}
