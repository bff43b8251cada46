package dev.vigil.alerting.cases;

import dev.vigil.event.Alert;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseState;
import dev.vigil.event.cases.Disposition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A case without its alerts and history, which are stored beside it one by one, so that one alert more writes little.
 *
 * @param revision grows with every change but a refused action
 * @param entryCount lines of history so far, dropped ones included
 * @param sent the worst that was sent; absent while nothing was
 * @param timerAtUs when it expires or is pruned, event time of its partition; absent: not by itself
 * @param actionIds of the latest actions, oldest first
 */
public record CaseHead(
        Origin origin,
        Standing standing,
        CaseFigures figures,
        @Nullable Sent sent,
        long revision,
        long entryCount,
        @Nullable Long timerAtUs,
        List<String> actionIds) {
    /** Alerts of a case that are kept with all that is shown of them. */
    public static final int MAX_ALERTS = 50;
    /** Lines of a case's history that are kept. */
    public static final int MAX_ENTRIES = 100;
    /** Events of a case that a disposition labels. */
    public static final int MAX_TARGETS = 1_000;

    static final int MAX_ACTION_IDS = 100;

    public CaseHead {
        actionIds = List.copyOf(actionIds);
    }

    /** What never changes; see {@link AlertCase}. */
    public record Origin(
            String caseId,
            String fingerprint,
            String policy,
            String groupBy,
            String account,
            int partition,
            long openedAtUs) {
        static Origin of(Alert alert) {
            String fingerprint = CaseIds.fingerprint(alert);
            return new Origin(
                    CaseIds.caseId(fingerprint, alert.alertId()),
                    fingerprint,
                    alert.policy(),
                    alert.groupBy(),
                    alert.account(),
                    alert.position().partition(),
                    alert.eventTimeUs());
        }
    }

    /**
     * What people decide.
     *
     * @param closedAtUs event time of the partition when it was closed; absent while it is not
     */
    public record Standing(
            CaseState state,
            @Nullable String assignee,
            @Nullable Disposition disposition,
            AlertCase.@Nullable Snooze snooze,
            @Nullable Long closedAtUs) {
        static final Standing NEW = new Standing(CaseState.OPEN, null, null, null, null);

        boolean closed() {
            return state == CaseState.CLOSED;
        }

        /** Nobody looks at it, so it may close by itself. */
        boolean untouched() {
            return state == CaseState.OPEN && assignee == null;
        }

        Standing in(CaseState newState) {
            return new Standing(newState, assignee, disposition, snooze, closedAtUs);
        }

        Standing assignedTo(@Nullable String newAssignee) {
            return new Standing(state, newAssignee, disposition, snooze, closedAtUs);
        }

        Standing snoozed(AlertCase.@Nullable Snooze newSnooze) {
            return new Standing(state, assignee, disposition, newSnooze, closedAtUs);
        }

        /** A snooze ends with its case. */
        Standing closedAs(@Nullable Disposition newDisposition, long atUs) {
            return new Standing(CaseState.CLOSED, assignee, newDisposition, null, atUs);
        }

        /** Somebody looks at it. */
        Standing reopened() {
            return new Standing(CaseState.ACKNOWLEDGED, assignee, null, null, null);
        }
    }

    static CaseHead opened(Alert alert, @Nullable Sent sent) {
        return new CaseHead(Origin.of(alert), Standing.NEW, CaseFigures.NONE, sent, 0, 0, null, List.of());
    }

    public String caseId() {
        return origin.caseId();
    }

    public boolean closed() {
        return standing.closed();
    }

    /** Whether the partition's event time says that it expires or is pruned. */
    boolean due(long eventTimeUs) {
        return timerAtUs != null && timerAtUs <= eventTimeUs;
    }

    public Optional<CaseTimer> timer() {
        return Optional.ofNullable(timerAtUs).map(atUs -> new CaseTimer(atUs, caseId()));
    }

    /** As analysts see it. */
    public AlertCase view(List<AlertCase.CaseAlert> alerts, List<AlertCase.CaseEntry> history) {
        return new AlertCase(
                origin.caseId,
                origin.fingerprint,
                origin.policy,
                origin.groupBy,
                origin.account,
                standing.state,
                revision,
                standing.assignee,
                standing.disposition,
                standing.snooze,
                origin.openedAtUs,
                figures.lastAlertAtUs(),
                figures.maxScore(),
                figures.maxAmount() == null ? null : figures.maxAmount().toPlainString(),
                figures.currency(),
                figures.alertCount(),
                figures.suppressed(),
                figures.rules(),
                alerts,
                history);
    }
}
