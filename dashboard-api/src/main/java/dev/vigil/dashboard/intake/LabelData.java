package dev.vigil.dashboard.intake;

import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import java.util.Map;

/** Data of a label, whose form is Vigil's own; see {@link EventTypes#LABEL}. */
final class LabelData {
    private LabelData() {}

    static void check(byte[] data, EventAttributes event) {
        Map<String, Object> label = Json.decodeObject(data);
        requireText(label, "event_source", event);
        requireText(label, "event_id", event);
        requireText(label, "label", event);
        if (!(label.get("value") instanceof Boolean)) {
            event.refuse("/data/value", problem(label, "value"), "expected true or false");
        }
    }

    private static void requireText(Map<String, Object> label, String field, EventAttributes event) {
        if (!(label.get(field) instanceof String text) || text.isEmpty()) {
            event.refuse("/data/" + field, problem(label, field), "expected a text");
        }
    }

    private static String problem(Map<String, Object> label, String field) {
        return label.get(field) == null ? EventProblem.MISSING : EventProblem.MALFORMED;
    }
}
