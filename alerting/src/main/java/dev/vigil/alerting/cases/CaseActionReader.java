package dev.vigil.alerting.cases;

import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.cases.CaseAction;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads records of the topic of actions. */
public final class CaseActionReader {
    /** Of ids and names. */
    private static final int LONGEST_NAME = 200;

    private static final int LONGEST_NOTE = 4_000;
    private static final long LATEST_MS = Instant.parse("9999-12-31T00:00:00Z").toEpochMilli();

    private CaseActionReader() {}

    /** @throws IllegalArgumentException with field, expected and found, without anything that the record says */
    public static CaseAction read(byte[] record) {
        CaseAction action;
        try {
            action = Json.decode(record, CaseAction.class);
        } catch (UncheckedIOException e) {
            // Jackson's message may quote the record.
            throw new IllegalArgumentException("expected an action on a case as JSON", e);
        }
        if (action == null) {
            throw new IllegalArgumentException("expected an action on a case as JSON, found null");
        }
        requireName("action_id", action.actionId());
        requireName("case_id", action.caseId());
        requireName("by", action.by());
        if (action.kind() == null) {
            throw new IllegalArgumentException("kind: missing");
        }
        if (action.atMs() < 0 || action.atMs() > LATEST_MS) {
            throw new IllegalArgumentException("at_ms: expected ms since the epoch before the year 10000");
        }
        Long untilUs = action.untilUs();
        if (untilUs != null && (untilUs < 0 || untilUs > EventTimes.MAX_US)) {
            throw new IllegalArgumentException("until_us: expected µs since the epoch before the year 10000");
        }
        requireAtMost("assignee", action.assignee(), LONGEST_NAME);
        requireAtMost("note", action.note(), LONGEST_NOTE);
        return action;
    }

    private static void requireName(String field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(field + ": missing");
        }
        requireAtMost(field, value, LONGEST_NAME);
    }

    private static void requireAtMost(String field, @Nullable String value, int longest) {
        if (value != null && value.length() > longest) {
            throw new IllegalArgumentException(
                    field + ": expected at most " + longest + " characters, found " + value.length());
        }
    }
}
