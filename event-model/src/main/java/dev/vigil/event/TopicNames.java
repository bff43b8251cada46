package dev.vigil.event;

import java.util.List;

/**
 * Names of Vigil's topics under one prefix.
 *
 * <p>{@code events}, {@code scored}, {@code alerts}, {@code late} and {@code summaries} have equal partition counts, and a record about an
 * account stands in the same partition number of each.
 */
public record TopicNames(String prefix) {
    public TopicNames {
        if (!prefix.matches("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*")) {
            throw new IllegalArgumentException("expected a topic prefix of letters, digits, - and _, found " + prefix);
        }
    }

    /** The one log: events, reference rows, labels, control records. */
    public String events() {
        return prefix + ".events";
    }

    public String intake() {
        return prefix + ".intake";
    }

    public String scored() {
        return prefix + ".scored";
    }

    public String alerts() {
        return prefix + ".alerts";
    }

    public String late() {
        return prefix + ".late";
    }

    public String deadLetters() {
        return prefix + ".dead-letters";
    }

    public String deliveries() {
        return prefix + ".deliveries";
    }

    public String summaries() {
        return prefix + ".summaries";
    }

    public List<String> all() {
        return List.of(events(), intake(), scored(), alerts(), late(), deadLetters(), deliveries(), summaries());
    }
}
