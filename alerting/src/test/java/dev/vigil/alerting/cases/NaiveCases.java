package dev.vigil.alerting.cases;

import dev.vigil.event.Alert;
import dev.vigil.event.EventTimes;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.CaseState;
import dev.vigil.event.cases.Disposition;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What cases and suppression are to do, on lists that are looked through from their start for every record. */
public final class NaiveCases {
    private static final long DAY_US = 86_400_000_000L;

    private final SuppressionConfig config;
    private final Map<Integer, Long> timesUs = new HashMap<>();
    private final List<OneCase> cases = new ArrayList<>();
    private final List<Alert> sent = new ArrayList<>();

    /** How many alerts ended so: a reason's label, {@code sent} or {@code escalated}. And actions: taken, refused and so on. */
    public final Map<String, Long> ends = new TreeMap<>();

    public NaiveCases(SuppressionConfig config) {
        this.config = config;
    }

    private static final class OneCase {
        Alert first;
        String id;
        String group;
        CaseState state = CaseState.OPEN;
        long openedOrder;
        long revision;

        @Nullable
        String assignee;

        @Nullable
        Disposition disposition;

        AlertCase.@Nullable Snooze snooze;

        @Nullable
        Long closedAtUs;

        final List<Alert> alerts = new ArrayList<>();
        final List<AlertCase.CaseAlert> views = new ArrayList<>();
        final List<AlertCase.CaseEntry> entries = new ArrayList<>();
        final List<Alert> sent = new ArrayList<>();
        final Set<String> actionIds = new HashSet<>();

        OneCase(Alert first) {
            this.first = first;
            this.group = first.groupBy();
            this.id = CaseIds.caseId(CaseIds.fingerprint(first), first.alertId());
        }

        int partition() {
            return first.position().partition();
        }

        long lastUs() {
            return alerts.stream().mapToLong(Alert::eventTimeUs).max().orElseThrow();
        }

        void enter(String id, String by, long atMs, String done, @Nullable String text) {
            entries.add(new AlertCase.CaseEntry(id, by, atMs, done, text));
        }

        void enterOwn(long atMs, String done) {
            enter(id + "-" + (entries.size() + 1), "vigil", atMs, done, null);
        }
    }

    private long order;

    private long now(int partition) {
        return timesUs.getOrDefault(partition, Long.MIN_VALUE);
    }

    private void count(String end) {
        ends.merge(end, 1L, Long::sum);
    }

    /** Expires the case or removes it if its time has come. */
    private void pass(OneCase one, long atMs) {
        long nowUs = now(one.partition());
        if (one.closedAtUs != null) {
            if (one.closedAtUs + config.keep().toMillis() * 1_000 <= nowUs) {
                cases.remove(one);
            }
        } else if (one.state == CaseState.OPEN && one.assignee == null) {
            long idleUs = one.lastUs() + config.idle().toMillis() * 1_000;
            if (idleUs <= nowUs && (one.snooze == null || one.snooze.untilUs() <= nowUs)) {
                one.state = CaseState.CLOSED;
                one.closedAtUs = nowUs;
                one.snooze = null;
                one.revision++;
                one.enterOwn(atMs, "expired");
                count("expired");
            }
        }
    }

    private Optional<OneCase> latest(String group, long atMs) {
        Optional<OneCase> latest = cases.stream()
                .filter(one -> one.group.equals(group))
                .max(Comparator.comparingLong(one -> one.openedOrder));
        latest.ifPresent(one -> pass(one, atMs));
        return latest.filter(cases::contains);
    }

    /** @return the label of the reason, {@code sent} or {@code escalated} */
    public String take(Alert alert, boolean wanted) {
        int partition = alert.position().partition();
        long atMs = alert.ingestTimeMs();
        timesUs.merge(partition, alert.eventTimeUs(), Math::max);
        List.copyOf(cases).stream().filter(one -> one.partition() == partition).forEach(one -> pass(one, atMs));
        boolean cooling = wanted && isCooling(alert);
        Optional<OneCase> latest = latest(alert.groupBy(), atMs);
        OneCase one;
        if (latest.isPresent() && latest.get().state != CaseState.CLOSED) {
            one = latest.get();
        } else {
            one = new OneCase(alert);
            one.openedOrder = ++order;
            one.enterOwn(atMs, "opened");
            if (cooling && latest.isPresent()) {
                one.sent.addAll(latest.get().sent);
            }
            cases.add(one);
            count("opened");
        }
        String end = end(alert, wanted, cooling, one);
        boolean isSent = end.equals("sent") || end.equals("escalated");
        if (isSent) {
            one.sent.add(alert);
            sent.add(alert);
        }
        one.alerts.add(alert);
        one.views.add(new AlertCase.CaseAlert(
                alert.alertId(),
                alert.eventId(),
                alert.source(),
                alert.account(),
                alert.eventTimeUs(),
                alert.score(),
                alert.decision().label(),
                amount(alert) == null ? null : String.valueOf(amount(alert)),
                alert.rules().stream().map(hit -> hit.rule()).toList(),
                isSent ? null : end,
                end.equals("escalated")));
        one.revision++;
        count(end);
        return end;
    }

    private static @Nullable BigDecimal amount(Alert alert) {
        Object amount = alert.fields().get("amount");
        return amount == null ? null : new BigDecimal(amount.toString());
    }

    /** The sent alert with the largest event time counts, as long as its partition is not a day and a cooldown further. */
    private boolean isCooling(Alert alert) {
        Alert mark = null;
        for (Alert other : sent) {
            long expiresUs = other.eventTimeUs() + other.cooldownMs() * 1_000 + DAY_US;
            boolean newer = mark == null || other.eventTimeUs() > mark.eventTimeUs();
            if (other.groupBy().equals(alert.groupBy())
                    && other.cooldownMs() > 0
                    && expiresUs > now(other.position().partition())
                    && newer) {
                mark = other;
            }
        }
        return mark != null && Math.abs(alert.eventTimeUs() - mark.eventTimeUs()) < alert.cooldownMs() * 1_000;
    }

    private String end(Alert alert, boolean wanted, boolean cooling, OneCase one) {
        if (!wanted) {
            return "unrouted";
        }
        if (config.quietRules()
                .containsAll(alert.rules().stream().map(hit -> hit.rule()).toList())) {
            return "quiet";
        }
        if (one.snooze != null && alert.eventTimeUs() < one.snooze.untilUs()) {
            return "snooze";
        }
        if (!cooling) {
            return "sent";
        }
        if (one.sent.isEmpty()) {
            return "cooldown";
        }
        int score = one.sent.stream().mapToInt(Alert::score).max().orElseThrow();
        int decision = one.sent.stream()
                .mapToInt(other -> other.decision().ordinal())
                .max()
                .orElseThrow();
        Optional<BigDecimal> most = one.sent.stream()
                .map(NaiveCases::amount)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder());
        BigDecimal amount = amount(alert);
        boolean worse = alert.score() - score >= config.escalation().score()
                || alert.decision().ordinal() > decision
                || (amount != null
                        && most.isPresent()
                        && amount.compareTo(
                                        most.get().multiply(config.escalation().amountFactor()))
                                >= 0);
        return worse ? "escalated" : "cooldown";
    }

    /** @return identities of the events that are labelled now, with the label */
    public List<String> take(CaseAction action) {
        Optional<OneCase> found =
                cases.stream().filter(one -> one.id.equals(action.caseId())).findFirst();
        found.ifPresent(one -> pass(one, action.atMs()));
        if (found.isEmpty() || !cases.contains(found.get())) {
            count("caseless");
            return List.of();
        }
        OneCase one = found.get();
        if (!one.actionIds.add(action.actionId())) {
            count("repeated");
            return List.of();
        }
        String label = action.kind().label();
        boolean moved = action.ifRevision() != null && action.ifRevision() != one.revision;
        if (moved || !apply(one, action)) {
            one.enter(action.actionId(), action.by(), action.atMs(), "refused", label);
            count("refused");
            return List.of();
        }
        one.revision++;
        one.enter(action.actionId(), action.by(), action.atMs(), label, null);
        count("actions");
        if (action.kind() != CaseAction.Kind.CLOSE || one.disposition == Disposition.UNSURE) {
            return List.of();
        }
        Set<String> labelled = new LinkedHashSet<>();
        one.alerts.forEach(alert ->
                labelled.add(alert.account() + " " + alert.eventId() + " " + (one.disposition == Disposition.FRAUD)));
        return List.copyOf(labelled);
    }

    /** Whether the action can be done; then it is. */
    private boolean apply(OneCase one, CaseAction action) {
        boolean closed = one.state == CaseState.CLOSED;
        switch (action.kind()) {
            case NOTE -> {
                return true;
            }
            case ACKNOWLEDGE -> one.state = closed ? one.state : CaseState.ACKNOWLEDGED;
            case ASSIGN -> one.assignee = closed ? one.assignee : action.assignee();
            case CLOSE -> {
                if (closed && one.disposition == action.disposition()) {
                    return false;
                }
                one.disposition = action.disposition();
                one.closedAtUs = closed ? one.closedAtUs : Long.valueOf(now(one.partition()));
                one.state = CaseState.CLOSED;
                one.snooze = null;
                return true;
            }
            case REOPEN -> {
                boolean another = closed
                        && latest(one.group, action.atMs())
                                .filter(other -> other != one && other.state != CaseState.CLOSED)
                                .isPresent();
                if (!closed || another) {
                    return false;
                }
                one.state = CaseState.ACKNOWLEDGED;
                one.openedOrder = ++order;
                one.disposition = null;
                one.closedAtUs = null;
                return true;
            }
            case SNOOZE -> {
                long untilUs = Objects.requireNonNull(action.untilUs());
                long nowUs = now(one.partition());
                if (closed || untilUs <= nowUs || untilUs > Math.max(nowUs, action.atMs() * 1_000) + 30 * DAY_US) {
                    return false;
                }
                one.snooze = new AlertCase.Snooze(untilUs, action.by(), action.note());
            }
            case UNSNOOZE -> {
                boolean snoozed = one.snooze != null;
                one.snooze = null;
                return snoozed;
            }
        }
        return !closed;
    }

    public List<String> caseIds() {
        return cases.stream().map(one -> one.id).toList();
    }

    /** One case in all that can be told of it, but for the words of its history. */
    public String told(String caseId) {
        return cases.stream()
                .filter(one -> one.id.equals(caseId))
                .findFirst()
                .map(NaiveCases::view)
                .map(NaiveCases::told)
                .orElse("none");
    }

    /** In words, so that differences can be read. */
    public static String told(AlertCase one) {
        StringBuilder text = new StringBuilder();
        text.append(one.caseId()).append(' ').append(one.state()).append(" r").append(one.revision());
        text.append(' ').append(one.assignee()).append(' ').append(one.disposition());
        text.append(' ').append(one.snooze()).append(' ').append(one.account());
        text.append(' ').append(EventTimes.format(one.openedAtUs()));
        text.append(' ').append(EventTimes.format(one.lastAlertAtUs()));
        text.append(' ').append(one.maxScore()).append(' ').append(one.maxAmount());
        text.append(' ').append(one.alertCount()).append(' ').append(new TreeMap<>(one.suppressed()));
        text.append(' ').append(one.rules()).append('\n');
        one.alerts().forEach(alert -> text.append("  ").append(alert).append('\n'));
        one.history()
                .forEach(entry -> text.append("  ")
                        .append(entry.actionId())
                        .append(' ')
                        .append(entry.by())
                        .append(' ')
                        .append(entry.atMs())
                        .append(' ')
                        .append(entry.done())
                        .append('\n'));
        return text.toString();
    }

    private static AlertCase view(OneCase one) {
        Map<String, Long> suppressed = new TreeMap<>();
        Set<String> rules = new LinkedHashSet<>();
        one.views.forEach(alert -> {
            if (alert.suppressedBy() != null) {
                suppressed.merge(alert.suppressedBy(), 1L, Long::sum);
            }
            rules.addAll(alert.rules());
        });
        BigDecimal most = one.alerts.stream()
                .map(NaiveCases::amount)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
        return new AlertCase(
                one.id,
                "",
                one.first.policy(),
                one.group,
                one.first.account(),
                one.state,
                one.revision,
                one.assignee,
                one.disposition,
                one.snooze,
                one.first.eventTimeUs(),
                one.lastUs(),
                one.alerts.stream().mapToInt(Alert::score).max().orElseThrow(),
                most == null ? null : most.toPlainString(),
                most == null ? null : "EUR",
                one.alerts.size(),
                suppressed,
                List.copyOf(rules),
                last(one.views, 50),
                last(one.entries, 100));
    }

    private static <T> List<T> last(List<T> all, int kept) {
        return all.subList(Math.max(0, all.size() - kept), all.size());
    }
}
