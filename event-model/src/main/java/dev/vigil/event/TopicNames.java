package dev.vigil.event;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Names of Vigil's topics: under one prefix, unless a topic is named otherwise.
 *
 * @param named names of single topics by {@link #ROLES role}, where they do not follow from the prefix
 *
 * <p>{@code events}, {@code scored}, {@code alerts}, {@code late}, {@code summaries} and {@code case-actions} have equal partition counts, and a record about an
 * account stands in the same partition number of each.
 */
public record TopicNames(String prefix, Map<String, String> named) {
    /** What a topic is for, which is also its name behind the prefix. */
    public static final List<String> ROLES = List.of(
            "events",
            "intake",
            "scored",
            "alerts",
            "late",
            "dead-letters",
            "dead-letter-retries",
            "deliveries",
            "summaries",
            "policies",
            "case-actions",
            "endpoints");

    private static final int LONGEST = 249;

    public TopicNames {
        if (!prefix.matches("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*")) {
            throw new IllegalArgumentException("expected a topic prefix of letters, digits, - and _, found " + prefix);
        }
        Map<String, String> others = new HashMap<>(named);
        ROLES.forEach(role -> others.remove(role, prefix + "." + role));
        named = Map.copyOf(others);
        Set<String> distinct = new TreeSet<>();
        for (String role : ROLES) {
            String name = named.getOrDefault(role, prefix + "." + role);
            if (!name.matches("[A-Za-z0-9._-]{1," + LONGEST + "}") || !distinct.add(name)) {
                throw new IllegalArgumentException("expected a topic name of its own for " + role
                        + ", of letters, digits, '.', - and _, found " + name);
            }
        }
        if (!ROLES.containsAll(named.keySet())) {
            throw new IllegalArgumentException("expected roles among " + ROLES + ", found " + named.keySet());
        }
    }

    public TopicNames(String prefix) {
        this(prefix, Map.of());
    }

    private String name(String role) {
        return named.getOrDefault(role, prefix + "." + role);
    }

    /** The one log: events, reference rows, labels, control records. */
    public String events() {
        return name("events");
    }

    public String intake() {
        return name("intake");
    }

    public String scored() {
        return name("scored");
    }

    public String alerts() {
        return name("alerts");
    }

    public String late() {
        return name("late");
    }

    public String deadLetters() {
        return name("dead-letters");
    }

    /** Which dead letters were put back; in the partition of the same number as the letter. */
    public String deadLetterRetries() {
        return name("dead-letter-retries");
    }

    public String deliveries() {
        return name("deliveries");
    }

    public String summaries() {
        return name("summaries");
    }

    /** The register of what was activated: one partition, compacted. */
    public String policies() {
        return name("policies");
    }

    /** What people did about cases, in the partition of the case's account. */
    public String caseActions() {
        return name("case-actions");
    }

    /** The register of endpoints that were made by the API: one partition, compacted. */
    public String endpoints() {
        return name("endpoints");
    }

    public List<String> all() {
        return ROLES.stream().map(this::name).toList();
    }
}
