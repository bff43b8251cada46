package dev.vigil.launcher;

import dev.vigil.config.OneLine;
import dev.vigil.event.EventTimes;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.AlertCase.CaseAlert;
import dev.vigil.event.cases.AlertCase.CaseEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Cases as text for a terminal. Whatever came from outside stays on its lines, without control characters. */
final class CaseText {
    private CaseText() {}

    static String table(List<AlertCase> cases) {
        if (cases.isEmpty()) {
            return "no cases" + System.lineSeparator();
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "case", "state", "account", "group", "rules", "score", "amount", "alerts", "last alert", "assignee"));
        for (AlertCase c : cases) {
            rows.add(List.of(
                    OneLine.of(c.caseId()),
                    state(c),
                    OneLine.shortened(c.account()),
                    OneLine.shortened(c.groupBy()),
                    OneLine.shortened(String.join(", ", c.rules())),
                    String.valueOf(c.maxScore()),
                    amount(c.maxAmount(), c.currency()),
                    alerts(c),
                    EventTimes.format(c.lastAlertAtUs()),
                    OneLine.shortened(orNothing(c.assignee()))));
        }
        return AlignedTable.of(rows);
    }

    /** What an action leaves, in one line without its end. */
    static String line(AlertCase c) {
        return "case " + OneLine.of(c.caseId()) + " is " + state(c)
                + (c.assignee() == null ? "" : ", assigned to " + OneLine.of(c.assignee()))
                + (c.snooze() == null
                        ? ""
                        : ", snoozed until " + EventTimes.format(c.snooze().untilUs()))
                + ", revision " + c.revision();
    }

    static String view(AlertCase c) {
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("case", OneLine.of(c.caseId())));
        facts.add(List.of("state", state(c) + ", revision " + c.revision()));
        facts.add(List.of("assignee", c.assignee() == null ? "nobody" : OneLine.of(c.assignee())));
        AlertCase.Snooze snooze = c.snooze();
        if (snooze != null) {
            facts.add(List.of(
                    "snoozed",
                    "until " + EventTimes.format(snooze.untilUs()) + " by " + OneLine.of(snooze.by())
                            + (snooze.reason() == null ? "" : ": " + OneLine.of(snooze.reason()))));
        }
        facts.add(List.of("account", OneLine.of(c.account())));
        facts.add(List.of("group", OneLine.of(c.groupBy()) + " of policy " + OneLine.of(c.policy())));
        facts.add(List.of("rules", OneLine.of(String.join(", ", c.rules()))));
        facts.add(List.of("worst", "score " + c.maxScore() + amountBehind(c)));
        facts.add(List.of("alerts", alerts(c)));
        facts.add(List.of("from, to", EventTimes.format(c.openedAtUs()) + ", " + EventTimes.format(c.lastAlertAtUs())));
        return AlignedTable.of(facts)
                + System.lineSeparator()
                + AlignedTable.of(alertRows(c))
                + System.lineSeparator()
                + AlignedTable.of(historyRows(c));
    }

    private static String amountBehind(AlertCase c) {
        String amount = amount(c.maxAmount(), c.currency());
        return amount.isEmpty() ? "" : ", amount " + amount;
    }

    private static List<List<String>> alertRows(AlertCase c) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("alert", "event time", "event", "decision", "score", "amount", "rules", "told"));
        for (CaseAlert alert : c.alerts()) {
            rows.add(List.of(
                    OneLine.of(alert.alertId()),
                    EventTimes.format(alert.eventTimeUs()),
                    OneLine.of(alert.account()) + " " + OneLine.of(alert.eventId()),
                    OneLine.of(alert.decision()),
                    String.valueOf(alert.score()),
                    amount(alert.amount(), c.currency()),
                    OneLine.shortened(String.join(", ", alert.rules())),
                    told(alert)));
        }
        return rows;
    }

    private static String told(CaseAlert alert) {
        if (alert.suppressedBy() != null) {
            return "no: " + OneLine.of(alert.suppressedBy());
        }
        return alert.escalation() ? "yes, as it is worse" : "yes";
    }

    private static List<List<String>> historyRows(AlertCase c) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("when", "who", "did", ""));
        for (CaseEntry entry : c.history()) {
            List<String> lines = orNothing(entry.text()).lines().toList();
            rows.add(List.of(
                    EventTimes.format(EventTimes.fromEpochMs(entry.atMs())),
                    OneLine.of(entry.by()),
                    OneLine.of(entry.done()),
                    lines.isEmpty() ? "" : OneLine.of(lines.get(0))));
            lines.stream().skip(1).forEach(line -> rows.add(List.of("", "", "", OneLine.of(line))));
        }
        return rows;
    }

    private static String state(AlertCase c) {
        return c.state().label()
                + (c.disposition() == null ? "" : " as " + c.disposition().label());
    }

    private static String amount(@Nullable String amount, @Nullable String currency) {
        return amount == null ? "" : OneLine.of(amount) + (currency == null ? "" : " " + OneLine.of(currency));
    }

    /** As in {@code 7, of which suppressed: 5 cooldown, 1 snooze}. */
    private static String alerts(AlertCase c) {
        if (c.suppressed().isEmpty()) {
            return String.valueOf(c.alertCount());
        }
        Map<String, Long> byReason = new TreeMap<>(c.suppressed());
        return c.alertCount() + ", of which suppressed: "
                + byReason.entrySet().stream()
                        .map(reason -> reason.getValue() + " " + OneLine.of(reason.getKey()))
                        .collect(Collectors.joining(", "));
    }

    private static String orNothing(@Nullable String text) {
        return text == null ? "" : text;
    }
}
