package dev.vigil.alerting.cases;

import dev.vigil.event.EventTimes;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.CaseState;
import dev.vigil.event.cases.Disposition;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What an action does to a case, or why it does nothing. Reads no clock. */
final class ActionRules {
    /** A snooze that nobody remembers is a hole in the watch. */
    private static final long LONGEST_SNOOZE_US = 30 * 86_400_000_000L;

    private ActionRules() {}

    /**
     * What comes of an action.
     *
     * @param standing absent: refused
     * @param text for the history; why it was refused, if so
     */
    record Ruling(
            CaseHead.@Nullable Standing standing, @Nullable String text) {
        static Ruling refused(String why) {
            return new Ruling(null, why);
        }
    }

    /**
     * @param eventTimeUs of the case's partition
     * @param anotherIsOpen whether another case of the group is not closed
     */
    static Ruling rule(CaseHead head, CaseAction action, long eventTimeUs, BooleanSupplier anotherIsOpen) {
        Long ifRevision = action.ifRevision();
        if (ifRevision != null && ifRevision != head.revision()) {
            return Ruling.refused("decided on revision " + ifRevision + ", the case is at " + head.revision());
        }
        CaseHead.Standing now = head.standing();
        return switch (action.kind()) {
            case NOTE -> new Ruling(now, action.note());
            case CLOSE -> close(now, action, eventTimeUs);
            case REOPEN -> reopen(now, action, anotherIsOpen);
            case ACKNOWLEDGE -> ifNotClosed(now, new Ruling(now.in(CaseState.ACKNOWLEDGED), action.note()));
            case ASSIGN -> ifNotClosed(now, assign(now, action));
            case SNOOZE -> ifNotClosed(now, snooze(now, action, eventTimeUs));
            case UNSNOOZE -> ifNotClosed(now, unsnooze(now, action));
        };
    }

    private static Ruling ifNotClosed(CaseHead.Standing now, Ruling ruling) {
        return now.closed() ? Ruling.refused("the case is closed") : ruling;
    }

    /** A closed one may be closed as something else: what it was found to be can change when another case is open. */
    private static Ruling close(CaseHead.Standing now, CaseAction action, long eventTimeUs) {
        Disposition disposition = action.disposition();
        if (disposition == null) {
            return Ruling.refused("expected a disposition");
        }
        if (now.closed() && now.disposition() == disposition) {
            return Ruling.refused("the case is closed as " + disposition.label() + " already");
        }
        long atUs = Objects.requireNonNullElse(now.closedAtUs(), eventTimeUs);
        return new Ruling(now.closedAs(disposition, atUs), withNote(disposition.label(), action));
    }

    private static Ruling reopen(CaseHead.Standing now, CaseAction action, BooleanSupplier anotherIsOpen) {
        if (!now.closed()) {
            return Ruling.refused("the case is not closed");
        }
        if (anotherIsOpen.getAsBoolean()) {
            return Ruling.refused("another case of the group is open");
        }
        return new Ruling(now.reopened(), action.note());
    }

    private static Ruling assign(CaseHead.Standing now, CaseAction action) {
        String assignee = action.assignee();
        return new Ruling(now.assignedTo(assignee), withNote(assignee == null ? "nobody" : assignee, action));
    }

    private static Ruling snooze(CaseHead.Standing now, CaseAction action, long eventTimeUs) {
        Long untilUs = action.untilUs();
        if (untilUs == null) {
            return Ruling.refused("expected until when");
        }
        String until = "until " + EventTimes.format(untilUs);
        if (untilUs <= eventTimeUs) {
            return Ruling.refused(until + " is over, event time is " + EventTimes.format(eventTimeUs));
        }
        // Where few alerts come, event time as alerts tell it lags behind what the analyst's clock says.
        long latestUs = Math.max(eventTimeUs, action.atMs() * 1_000) + LONGEST_SNOOZE_US;
        if (untilUs > latestUs) {
            return Ruling.refused(
                    until + " is more than 30 days ahead, expected " + EventTimes.format(latestUs) + " at the latest");
        }
        AlertCase.Snooze snooze = new AlertCase.Snooze(untilUs, action.by(), action.note());
        return new Ruling(now.snoozed(snooze), withNote(until, action));
    }

    private static Ruling unsnooze(CaseHead.Standing now, CaseAction action) {
        return now.snooze() == null
                ? Ruling.refused("the case is not snoozed")
                : new Ruling(now.snoozed(null), action.note());
    }

    private static String withNote(String text, CaseAction action) {
        return action.note() == null ? text : text + ": " + action.note();
    }
}
