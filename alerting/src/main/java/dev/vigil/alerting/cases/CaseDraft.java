package dev.vigil.alerting.cases;

import dev.vigil.event.Alert;
import dev.vigil.event.RuleHit;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseAction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One case as a batch changes it. */
final class CaseDraft {
    static final String VIGIL = "vigil";

    private final SuppressionConfig config;
    private final List<AlertCase.CaseAlert> alerts = new ArrayList<>();
    private final List<AlertCase.CaseEntry> entries = new ArrayList<>();
    private final CaseHead before;
    private CaseHead head;

    CaseDraft(CaseHead head, SuppressionConfig config) {
        this.before = head;
        this.head = head;
        this.config = config;
    }

    CaseHead head() {
        return head;
    }

    boolean changed() {
        return head != before;
    }

    CaseChanges.Changed changes() {
        return new CaseChanges.Changed(head, alerts, entries);
    }

    /** Of the alerts that this batch adds, those whose events a disposition labels. */
    Stream<LabelTarget> newTargets() {
        long before = head.figures().alertCount() - alerts.size();
        return alerts.stream().limit(Math.max(0, CaseHead.MAX_TARGETS - before)).map(LabelTarget::of);
    }

    void open(Alert first) {
        enter("opened", first.ingestTimeMs(), null);
    }

    void join(Alert alert, @Nullable BigDecimal amount, Verdict verdict) {
        BigDecimal comparable = head.figures().isComparable(alert.currency()) ? amount : null;
        alerts.add(new AlertCase.CaseAlert(
                alert.alertId(),
                alert.eventId(),
                alert.source(),
                alert.account(),
                alert.eventTimeUs(),
                alert.score(),
                alert.decision().label(),
                amount == null ? null : amount.toPlainString(),
                alert.rules().stream().map(RuleHit::rule).toList(),
                verdict.reason() == null ? null : verdict.reason().label(),
                verdict.escalation()));
        change(
                head.standing(),
                head.figures().plus(alert, amount, verdict.reason()),
                verdict.sent() ? Sent.plus(head.sent(), alert, comparable) : head.sent());
    }

    void expire(long eventTimeUs, long atMs) {
        change(head.standing().closedAs(null, eventTimeUs), head.figures(), head.sent());
        enter("expired", atMs, null);
    }

    void take(CaseAction action, CaseHead.Standing standing, @Nullable String text) {
        change(standing, head.figures(), head.sent());
        enter(action, action.kind().label(), text);
    }

    /** Visible, but no change that others' actions would have to know of: the revision stays. */
    void refuse(CaseAction action, @Nullable String why) {
        enter(action, "refused", action.kind().label() + ": " + why);
    }

    private void change(CaseHead.Standing standing, CaseFigures figures, @Nullable Sent sent) {
        head = new CaseHead(
                head.origin(),
                standing,
                figures,
                sent,
                head.revision() + 1,
                head.entryCount(),
                timerAtUs(standing, figures),
                head.actionIds());
    }

    private @Nullable Long timerAtUs(CaseHead.Standing standing, CaseFigures figures) {
        if (standing.closedAtUs() != null) {
            return standing.closedAtUs() + config.keepUs();
        }
        if (!standing.untouched()) {
            return null;
        }
        // Closed, it would forget its snooze.
        long idleUs = figures.lastAlertAtUs() + config.idleUs();
        return standing.snooze() == null
                ? idleUs
                : Math.max(idleUs, standing.snooze().untilUs());
    }

    private void enter(CaseAction action, String done, @Nullable String text) {
        List<String> ids = new ArrayList<>(head.actionIds());
        ids.add(action.actionId());
        List<String> latest = ids.subList(Math.max(0, ids.size() - CaseHead.MAX_ACTION_IDS), ids.size());
        enter(new AlertCase.CaseEntry(action.actionId(), action.by(), action.atMs(), done, text), latest);
    }

    private void enter(String done, long atMs, @Nullable String text) {
        String id = head.caseId() + '-' + (head.entryCount() + 1);
        enter(new AlertCase.CaseEntry(id, VIGIL, atMs, done, text), head.actionIds());
    }

    private void enter(AlertCase.CaseEntry entry, List<String> actionIds) {
        entries.add(entry);
        head = new CaseHead(
                head.origin(),
                head.standing(),
                head.figures(),
                head.sent(),
                head.revision(),
                head.entryCount() + 1,
                head.timerAtUs(),
                actionIds);
    }
}
