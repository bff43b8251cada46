package dev.vigil.dashboard.cases;

import dev.vigil.event.EventTimes;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.AlertCase.CaseEntry;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.CaseFilter;
import dev.vigil.event.cases.CasePage;
import dev.vigil.event.cases.CaseState;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.cases.CasesUnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Alerting's part of the work, in memory: takes actions as they come, or holds them back. */
public final class InMemoryCases implements Cases, CaseActions {
    private final Map<String, AlertCase> cases = new LinkedHashMap<>();
    private final List<CaseAction> appended = new ArrayList<>();
    private final List<CaseAction> held = new ArrayList<>();
    private boolean holding;
    private boolean away;
    private boolean brokerAway;

    public synchronized void put(AlertCase alertCase) {
        cases.put(alertCase.caseId(), alertCase);
    }

    /** From now on actions are stored and not taken; or what was held is taken, and the next at once. */
    public synchronized void hold(boolean isHolding) {
        holding = isHolding;
        if (!isHolding) {
            held.forEach(this::take);
            held.clear();
        }
    }

    /** From now on alerting does not answer, or does again. */
    public synchronized void away(boolean isAway) {
        away = isAway;
    }

    /** From now on the broker does not confirm, or does again. */
    public synchronized void brokerAway(boolean isAway) {
        brokerAway = isAway;
    }

    /** An alert joins the case. */
    public synchronized void alert(String caseId) {
        put(SampleCases.withAlert(cases.get(caseId)));
    }

    /** What the topic would hold. */
    public synchronized List<CaseAction> appended() {
        return List.copyOf(appended);
    }

    @Override
    public synchronized CasePage list(CaseFilter filter) {
        requireThere();
        List<AlertCase> matching = cases.values().stream()
                .filter(c -> filter.open() == null || filter.open() == (c.state() != CaseState.CLOSED))
                .filter(c -> filter.assignee() == null || filter.assignee().equals(c.assignee()))
                .filter(c -> filter.account() == null || filter.account().equals(c.account()))
                .filter(c -> filter.rule() == null || c.rules().contains(filter.rule()))
                .sorted(Comparator.comparing(AlertCase::lastAlertAtUs)
                        .reversed()
                        .thenComparing(AlertCase::caseId))
                .map(SampleCases::inList)
                .toList();
        int from = matching.stream().map(AlertCase::caseId).toList().indexOf(filter.after()) + 1;
        List<AlertCase> page = matching.subList(from, Math.min(matching.size(), from + filter.limit()));
        boolean isLast = from + page.size() == matching.size();
        return new CasePage(page, isLast ? null : page.get(page.size() - 1).caseId());
    }

    @Override
    public synchronized Optional<AlertCase> find(String caseId) {
        requireThere();
        return Optional.ofNullable(cases.get(caseId));
    }

    private void requireThere() {
        if (away) {
            throw new CasesUnavailableException("no alerting listens at http://alerting:8081");
        }
    }

    @Override
    public synchronized void append(CaseAction action) {
        if (brokerAway) {
            throw new ActionNotStoredException("no answer", new IOException("broker:9092"));
        }
        appended.add(action);
        if (holding) {
            held.add(action);
        } else {
            take(action);
        }
    }

    private void take(CaseAction action) {
        AlertCase now = cases.get(action.caseId());
        if (now.history().stream().anyMatch(entry -> entry.actionId().equals(action.actionId()))) {
            return;
        }
        Long expected = action.ifRevision();
        if (expected != null && expected != now.revision()) {
            put(SampleCases.withEntry(
                    now,
                    now.revision(),
                    entry(action, "refused", "expected revision " + expected + ", found " + now.revision())));
            return;
        }
        put(SampleCases.withEntry(
                SampleCases.after(now, action),
                now.revision() + 1,
                entry(action, action.kind().label(), text(action))));
    }

    private static CaseEntry entry(CaseAction action, String done, String text) {
        return new CaseEntry(action.actionId(), action.by(), action.atMs(), done, text.isEmpty() ? null : text);
    }

    private static String text(CaseAction action) {
        String what = switch (action.kind()) {
            case ASSIGN -> "to " + (action.assignee() == null ? "nobody" : action.assignee());
            case CLOSE ->
                "as "
                        + (action.disposition() == null
                                ? "nothing"
                                : action.disposition().label());
            case SNOOZE -> "until " + EventTimes.format(action.untilUs() == null ? 0 : action.untilUs());
            case ACKNOWLEDGE, NOTE, REOPEN, UNSNOOZE -> "";
        };
        String note = action.note() == null ? "" : action.note();
        return what.isEmpty() || note.isEmpty() ? what + note : what + ": " + note;
    }
}
