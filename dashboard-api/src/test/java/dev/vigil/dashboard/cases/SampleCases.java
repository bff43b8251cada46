package dev.vigil.dashboard.cases;

import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.AlertCase.CaseAlert;
import dev.vigil.event.cases.AlertCase.CaseEntry;
import dev.vigil.event.cases.AlertCase.Snooze;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.CaseState;
import dev.vigil.event.cases.Disposition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cases as alerting would have them. */
public final class SampleCases {
    /** Event time of the first alert of every case here. */
    public static final long OPENED_US = 1_800_000_000_000_000L;

    private static final long ALERT_EVERY_US = 60_000_000L;

    private SampleCases() {}

    /** Of two alerts, of which the second was suppressed. */
    public static AlertCase of(String caseId, String account) {
        AlertCase empty = new AlertCase(
                caseId,
                "f-" + caseId,
                "card-fraud",
                account,
                account,
                CaseState.OPEN,
                1,
                null,
                null,
                null,
                OPENED_US,
                OPENED_US,
                65,
                "250.00",
                "EUR",
                1,
                Map.of(),
                List.of("velocity"),
                List.of(alert(caseId + "-alert-1", account, 1)),
                List.of(new CaseEntry("", "vigil", OPENED_US / 1_000, "opened", null)));
        return withAlert(empty);
    }

    private static CaseAlert alert(String alertId, String account, long number) {
        return new CaseAlert(
                alertId,
                "t-" + number,
                "/shop",
                account,
                OPENED_US + (number - 1) * ALERT_EVERY_US,
                60 + (int) number,
                "review",
                "250.00",
                List.of("velocity"),
                number == 1 ? null : "cooldown",
                false);
    }

    /** One more, suppressed. */
    static AlertCase withAlert(AlertCase c) {
        return withAlert(c, c.caseId() + "-alert-" + (c.alertCount() + 1));
    }

    /** One more of this id, suppressed. */
    public static AlertCase withAlert(AlertCase c, String alertId) {
        CaseAlert next = alert(alertId, c.account(), c.alertCount() + 1);
        List<CaseAlert> alerts = new ArrayList<>(c.alerts());
        alerts.add(next);
        Map<String, Long> suppressed = new HashMap<>(c.suppressed());
        suppressed.merge("cooldown", 1L, Long::sum);
        return new AlertCase(
                c.caseId(),
                c.fingerprint(),
                c.policy(),
                c.groupBy(),
                c.account(),
                c.state(),
                c.revision() + 1,
                c.assignee(),
                c.disposition(),
                c.snooze(),
                c.openedAtUs(),
                next.eventTimeUs(),
                c.maxScore(),
                c.maxAmount(),
                c.currency(),
                c.alertCount() + 1,
                suppressed,
                c.rules(),
                alerts,
                c.history());
    }

    /** The same with these texts from outside wherever there are such. */
    public static AlertCase saying(AlertCase c, String text) {
        CaseAlert alert = c.alerts().get(0);
        CaseAlert said = new CaseAlert(
                alert.alertId(), text, text, text, alert.eventTimeUs(), 99, text, text, List.of(text), text, true);
        return new AlertCase(
                c.caseId(),
                text,
                text,
                text,
                text,
                c.state(),
                c.revision(),
                text,
                c.disposition(),
                new Snooze(c.lastAlertAtUs() + 1, text, text),
                c.openedAtUs(),
                c.lastAlertAtUs(),
                c.maxScore(),
                text,
                text,
                c.alertCount(),
                Map.of(text, 1L),
                List.of(text),
                List.of(said),
                List.of(new CaseEntry(text, text, 0, text, text)));
    }

    static AlertCase inList(AlertCase c) {
        return with(c, c.state(), c.revision(), c.assignee(), c.disposition(), c.snooze(), List.of(), List.of());
    }

    static AlertCase withEntry(AlertCase c, long revision, CaseEntry entry) {
        List<CaseEntry> history = new ArrayList<>(c.history());
        history.add(entry);
        return with(c, c.state(), revision, c.assignee(), c.disposition(), c.snooze(), c.alerts(), history);
    }

    static AlertCase after(AlertCase c, CaseAction action) {
        return switch (action.kind()) {
            case NOTE -> c;
            case ACKNOWLEDGE -> standing(c, CaseState.ACKNOWLEDGED, c.assignee(), c.disposition(), c.snooze());
            case ASSIGN -> standing(c, c.state(), action.assignee(), c.disposition(), c.snooze());
            case CLOSE -> standing(c, CaseState.CLOSED, c.assignee(), action.disposition(), null);
            case REOPEN -> standing(c, CaseState.ACKNOWLEDGED, c.assignee(), null, null);
            case SNOOZE -> standing(c, c.state(), c.assignee(), c.disposition(), snooze(action));
            case UNSNOOZE -> standing(c, c.state(), c.assignee(), c.disposition(), null);
        };
    }

    private static Snooze snooze(CaseAction action) {
        return new Snooze(action.untilUs() == null ? 0 : action.untilUs(), action.by(), action.note());
    }

    private static AlertCase standing(
            AlertCase c,
            CaseState state,
            @Nullable String assignee,
            @Nullable Disposition disposition,
            @Nullable Snooze snooze) {
        return with(c, state, c.revision(), assignee, disposition, snooze, c.alerts(), c.history());
    }

    private static AlertCase with(
            AlertCase c,
            CaseState state,
            long revision,
            @Nullable String assignee,
            @Nullable Disposition disposition,
            @Nullable Snooze snooze,
            List<CaseAlert> alerts,
            List<CaseEntry> history) {
        return new AlertCase(
                c.caseId(),
                c.fingerprint(),
                c.policy(),
                c.groupBy(),
                c.account(),
                state,
                revision,
                assignee,
                disposition,
                snooze,
                c.openedAtUs(),
                c.lastAlertAtUs(),
                c.maxScore(),
                c.maxAmount(),
                c.currency(),
                c.alertCount(),
                c.suppressed(),
                c.rules(),
                alerts,
                history);
    }
}
