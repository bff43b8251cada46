package dev.vigil.dashboard.cases;

import dev.vigil.event.EventTimes;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.Disposition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to do about a case, checked as far as it can be without the case.
 *
 * @param by who, as the request itself says
 * @param ifRevision see {@link CaseAction}
 * @param snooze of {@link CaseAction.Kind#SNOOZE}
 */
public record ActionRequest(
        CaseAction.Kind kind,
        @Nullable String by,
        @Nullable Long ifRevision,
        @Nullable String assignee,
        @Nullable Disposition disposition,
        @Nullable Snooze snooze,
        @Nullable String note) {
    /**
     * How long nobody is to be told of a case's group: until an event time, or for a while.
     *
     * @param untilUs event time, µs since the epoch; absent where {@code lasting} is there
     * @param lasting from now on, or from the case's last alert where that is later than now
     */
    public record Snooze(@Nullable Long untilUs, @Nullable Duration lasting) {
        /** The longest from now on. */
        public static final Duration LONGEST = Duration.ofDays(30);

        /**
         * The event time when it is over, µs since the epoch.
         *
         * @throws BadActionException if that is not ahead, or too far
         */
        long endUs(AlertCase of, long nowMs) {
            long startUs = Math.max(EventTimes.fromEpochMs(nowMs), of.lastAlertAtUs());
            long endUs = untilUs != null ? untilUs : startUs + microseconds(lasting == null ? LONGEST : lasting);
            if (endUs <= of.lastAlertAtUs()) {
                throw new BadActionException("until: expected a time after the case's last alert at "
                        + EventTimes.format(of.lastAlertAtUs()) + ", found " + EventTimes.format(endUs));
            }
            if (endUs - startUs > microseconds(LONGEST)) {
                throw new BadActionException("until: expected at most " + LONGEST.toDays() + " days ahead, found "
                        + EventTimes.format(endUs));
            }
            return endUs;
        }

        private static long microseconds(Duration duration) {
            return duration.toMillis() * 1_000;
        }
    }

    /** @throws BadActionException if the snooze does not fit the case */
    CaseAction on(AlertCase of, String actionId, String name, long nowMs) {
        return new CaseAction(
                actionId,
                of.caseId(),
                of.account(),
                kind,
                name,
                nowMs,
                ifRevision,
                assignee,
                disposition,
                snooze == null ? null : snooze.endUs(of, nowMs),
                note);
    }
}
