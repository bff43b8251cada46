package dev.vigil.event.cases;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What somebody does about a case: one record of {@code vigil.case-actions}, in the partition of the case's account. Taken
 * again with the same id it changes nothing.
 *
 * @param actionId chosen by the sender, unique
 * @param by who
 * @param atMs when, ms since the epoch
 * @param ifRevision the case's revision that the action was decided on; the action is void where the case has moved on. Absent: whatever
 *     the revision
 * @param assignee of {@link Kind#ASSIGN}; absent: nobody any more
 * @param disposition of {@link Kind#CLOSE}
 * @param untilUs of {@link Kind#SNOOZE}: event time, µs since the epoch
 * @param note of {@link Kind#NOTE}; with any other kind the reason
 */
public record CaseAction(
        String actionId,
        String caseId,
        String account,
        Kind kind,
        String by,
        long atMs,
        @Nullable Long ifRevision,
        @Nullable String assignee,
        @Nullable Disposition disposition,
        @Nullable Long untilUs,
        @Nullable String note) {
    /** What is done. */
    public enum Kind {
        ACKNOWLEDGE,
        ASSIGN,
        NOTE,
        CLOSE,
        REOPEN,
        SNOOZE,
        UNSNOOZE;

        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** @throws IllegalArgumentException for anything but a label of a kind */
        @JsonCreator
        public static Kind parse(String label) {
            for (Kind kind : values()) {
                if (kind.label().equals(label)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException(
                    "expected acknowledge, assign, note, close, reopen, snooze or unsnooze, found " + label);
        }
    }
}
