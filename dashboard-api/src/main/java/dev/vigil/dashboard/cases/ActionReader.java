package dev.vigil.dashboard.cases;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.config.Durations;
import dev.vigil.config.NearestName;
import dev.vigil.config.OneLine;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.cases.CaseAction.Kind;
import dev.vigil.event.cases.Disposition;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a request's body as what somebody wants to do about a case. Safe for any thread. */
public final class ActionReader {
    private static final String EXAMPLE = "a JSON object such as {\"action\": \"acknowledge\", \"by\": \"jane\"}";
    private static final List<String> KEYS =
            List.of("action", "by", "if_revision", "assignee", "disposition", "until", "for", "note");
    /** Keys of one kind of action alone. */
    private static final Map<String, Kind> OWN_KEYS =
            Map.of("assignee", Kind.ASSIGN, "disposition", Kind.CLOSE, "until", Kind.SNOOZE, "for", Kind.SNOOZE);

    private static final Set<String> KINDS = labels();

    private final Wording wording;

    public ActionReader(Wording wording) {
        this.wording = wording;
    }

    private static Set<String> labels() {
        return Set.copyOf(Arrays.stream(Kind.values()).map(Kind::label).toList());
    }

    /** @throws BadActionException if it is none */
    public ActionRequest read(byte[] body) {
        JsonNode object = object(body);
        requireKnownKeys(object);
        Kind kind = kind(text(object, "action"));
        requireKeysOf(kind, object);
        String by = text(object, "by");
        String note = text(object, "note");
        if (kind == Kind.NOTE && note == null) {
            throw new BadActionException("note: expected a text, found none");
        }
        return new ActionRequest(
                kind,
                by == null ? null : wording.name("by", by),
                revision(object),
                assignee(kind, object),
                kind == Kind.CLOSE ? disposition(text(object, "disposition")) : null,
                kind == Kind.SNOOZE ? snooze(object) : null,
                note == null ? null : wording.note("note", note));
    }

    private static JsonNode object(byte[] body) {
        try {
            JsonNode object = Json.mapper().readTree(body);
            if (object != null && object.isObject()) {
                return object;
            }
        } catch (IOException e) {
            throw new BadActionException("expected " + EXAMPLE + ", found no JSON");
        }
        throw new BadActionException("expected " + EXAMPLE);
    }

    private static void requireKnownKeys(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            if (!KEYS.contains(name)) {
                throw new BadActionException("unknown key '" + OneLine.shortened(name) + "', "
                        + NearestName.of(OneLine.shortened(name), KEYS)
                                .map(nearest -> "did you mean '" + nearest + "'?")
                                .orElse("expected " + String.join(", ", KEYS)));
            }
        }
    }

    private static void requireKeysOf(Kind kind, JsonNode object) {
        OWN_KEYS.forEach((key, owner) -> {
            if (kind != owner && object.hasNonNull(key)) {
                throw new BadActionException(
                        key + ": expected with " + owner.label() + " alone, found with " + kind.label());
            }
        });
    }

    private static @Nullable String text(JsonNode object, String key) {
        JsonNode node = object.path(key);
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        if (!node.isTextual()) {
            throw new BadActionException(key + ": expected a text, found " + found(node));
        }
        return node.textValue();
    }

    private static String found(JsonNode node) {
        return OneLine.shortened(node.isContainerNode() ? (node.isArray() ? "an array" : "an object") : node.asText());
    }

    private static Kind kind(@Nullable String label) {
        if (label == null) {
            throw new BadActionException("action: expected one of " + kinds() + ", found none");
        }
        if (!KINDS.contains(label)) {
            String shown = OneLine.shortened(label);
            throw new BadActionException("action: unknown action '" + shown + "', "
                    + NearestName.of(shown, KINDS)
                            .map(nearest -> "did you mean '" + nearest + "'?")
                            .orElse("expected one of " + kinds()));
        }
        return Kind.parse(label);
    }

    private static String kinds() {
        return String.join(", ", Arrays.stream(Kind.values()).map(Kind::label).toList());
    }

    private static @Nullable Long revision(JsonNode object) {
        JsonNode node = object.path("if_revision");
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        if (!node.isIntegralNumber() || !node.canConvertToLong() || node.longValue() < 0) {
            throw new BadActionException("if_revision: expected the revision of a case, found " + found(node));
        }
        return node.longValue();
    }

    /** Nobody is written as null, so that nobody is unassigned by a key that was left out. */
    private @Nullable String assignee(Kind kind, JsonNode object) {
        if (kind != Kind.ASSIGN) {
            return null;
        }
        if (!object.has("assignee")) {
            throw new BadActionException("assignee: expected a name, or null for nobody, found none");
        }
        String assignee = text(object, "assignee");
        return assignee == null ? null : wording.name("assignee", assignee);
    }

    private static Disposition disposition(@Nullable String label) {
        try {
            if (label != null) {
                return Disposition.parse(label);
            }
        } catch (IllegalArgumentException e) {
            throw new BadActionException(
                    "disposition: expected fraud, legitimate or unsure, found " + OneLine.shortened(label));
        }
        throw new BadActionException("disposition: expected fraud, legitimate or unsure, found none");
    }

    private static ActionRequest.Snooze snooze(JsonNode object) {
        String until = text(object, "until");
        String lasting = text(object, "for");
        if ((until == null) == (lasting == null)) {
            throw new BadActionException("expected either until, such as 2026-12-01T18:00:00Z, or for, such as 2h");
        }
        return until == null
                ? new ActionRequest.Snooze(null, lasting(String.valueOf(lasting)))
                : new ActionRequest.Snooze(time(until), null);
    }

    private static long time(String text) {
        try {
            return EventTimes.parse(text);
        } catch (DateTimeException e) {
            throw new BadActionException(
                    "until: expected a time such as 2026-12-01T18:00:00Z, found " + OneLine.shortened(text));
        }
    }

    private static Duration lasting(String text) {
        try {
            Duration duration = Durations.parse(text);
            if (!duration.isZero() && duration.compareTo(ActionRequest.Snooze.LONGEST) <= 0) {
                return duration;
            }
        } catch (IllegalArgumentException e) {
            throw new BadActionException("for: " + e.getMessage());
        }
        throw new BadActionException("for: expected a duration above 0 and of at most "
                + ActionRequest.Snooze.LONGEST.toDays() + "d, found " + text);
    }
}
