package dev.vigil.alerting.cases;

import dev.vigil.event.Alert;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.Disposition;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cases as one batch of records changes them: sees the store through what the batch has changed so far, and changes
 * nothing in it. What is decided depends on the records in the order in which they are taken, however they are cut into
 * batches. Used by one thread.
 */
public final class CaseBook {
    /** Cases that one record lets expire or prunes, so that a jump of event time does not stop the intake. */
    static final int TIMERS_PER_RECORD = 32;

    private final CaseStore store;
    private final SuppressionConfig config;
    private final Map<String, CaseDraft> drafts = new LinkedHashMap<>();
    private final Map<String, Optional<String>> latestCases = new HashMap<>();
    private final Set<String> pruned = new HashSet<>();
    private final Map<Integer, Long> eventTimesUs = new HashMap<>();
    private long openedCount;
    private long expiredCount;

    public CaseBook(CaseStore store, SuppressionConfig config) {
        this.store = store;
        this.config = config;
    }

    /** How an action ended. */
    public enum ActionEnd {
        TAKEN,
        /** It stands in the case's history with the reason. */
        REFUSED,
        /** Its id had been taken before. */
        REPEATED,
        /** There is no such case, or no more. */
        NO_CASE
    }

    /** @param labels for the log */
    public record ActionResult(ActionEnd end, List<EventEnvelope> labels) {
        public ActionResult {
            labels = List.copyOf(labels);
        }
    }

    /** @param caseId that the alert has joined */
    public record Joined(String caseId, Verdict verdict) {}

    /** Event time of the alert's partition moves on to it; to be called before anything else is asked about the alert. */
    public void advance(Alert alert) {
        int partition = alert.position().partition();
        long nowUs = Math.max(eventTimeUs(partition), alert.eventTimeUs());
        eventTimesUs.put(partition, nowUs);
        int touched = drafts.size() + pruned.size();
        Stream<CaseTimer> stored = store.dueTimers(partition, nowUs, TIMERS_PER_RECORD + touched).stream()
                .filter(timer -> !drafts.containsKey(timer.caseId()) && !pruned.contains(timer.caseId()));
        Stream<CaseTimer> drafted = drafts.values().stream()
                .map(CaseDraft::head)
                .filter(head -> head.origin().partition() == partition && head.due(nowUs))
                .flatMap(head -> head.timer().stream());
        Stream.concat(stored, drafted)
                .sorted()
                .limit(TIMERS_PER_RECORD)
                .toList()
                .forEach(timer -> current(timer.caseId(), alert.ingestTimeMs()));
    }

    /**
     * Takes an alert into its group's case.
     *
     * @param wanted whether any endpoint wants it
     * @param coolingAfter id of the alert whose cooldown it falls into; absent: none
     */
    public Joined take(Alert alert, boolean wanted, @Nullable String coolingAfter) {
        CaseDraft draft = openCase(alert, wanted && coolingAfter != null);
        BigDecimal amount = config.escalation().amount(alert);
        BigDecimal comparable = draft.head().figures().isComparable(alert.currency()) ? amount : null;
        Verdict verdict = wanted ? Verdict.on(alert, draft.head(), comparable, coolingAfter, config) : Verdict.UNROUTED;
        draft.join(alert, amount, verdict);
        return new Joined(draft.head().caseId(), verdict);
    }

    public ActionResult take(CaseAction action) {
        CaseDraft draft = current(action.caseId(), action.atMs());
        if (draft == null) {
            return new ActionResult(ActionEnd.NO_CASE, List.of());
        }
        CaseHead head = draft.head();
        if (head.actionIds().contains(action.actionId())) {
            return new ActionResult(ActionEnd.REPEATED, List.of());
        }
        ActionRules.Ruling ruling =
                ActionRules.rule(head, action, eventTimeUs(head), () -> isAnotherOpen(head, action.atMs()));
        CaseHead.Standing standing = ruling.standing();
        if (standing == null) {
            draft.refuse(action, ruling.text());
            return new ActionResult(ActionEnd.REFUSED, List.of());
        }
        draft.take(action, standing, ruling.text());
        if (!standing.closed()) {
            latestCases.put(head.origin().fingerprint(), Optional.of(head.caseId()));
        }
        Disposition disposition = action.kind() == CaseAction.Kind.CLOSE ? standing.disposition() : null;
        List<EventEnvelope> labels =
                disposition == null ? List.of() : CaseLabels.of(action, disposition, targets(draft));
        return new ActionResult(ActionEnd.TAKEN, labels);
    }

    private List<LabelTarget> targets(CaseDraft draft) {
        return Stream.concat(store.targets(draft.head().caseId()).stream(), draft.newTargets())
                .distinct()
                .toList();
    }

    private boolean isAnotherOpen(CaseHead head, long atMs) {
        CaseDraft latest = latest(head.origin().fingerprint(), atMs);
        return latest != null
                && !latest.head().caseId().equals(head.caseId())
                && !latest.head().standing().closed();
    }

    /** The group's case that is not closed, or a new one. */
    private CaseDraft openCase(Alert alert, boolean cooling) {
        CaseHead.Origin origin = CaseHead.Origin.of(alert);
        CaseDraft latest = latest(origin.fingerprint(), alert.ingestTimeMs());
        if (latest != null && !latest.head().standing().closed()) {
            return latest;
        }
        // What cools down was sent in the case before: that is what is to be exceeded.
        Sent sent = cooling && latest != null ? latest.head().sent() : null;
        CaseDraft opened = new CaseDraft(CaseHead.opened(alert, sent), config);
        drafts.put(origin.caseId(), opened);
        latestCases.put(origin.fingerprint(), Optional.of(origin.caseId()));
        opened.open(alert);
        openedCount++;
        return opened;
    }

    private @Nullable CaseDraft latest(String fingerprint, long atMs) {
        Optional<String> caseId = latestId(fingerprint);
        return caseId.isEmpty() ? null : current(caseId.get(), atMs);
    }

    private Optional<String> latestId(String fingerprint) {
        Optional<String> inBatch = latestCases.get(fingerprint);
        return inBatch != null ? inBatch : store.latestCase(fingerprint);
    }

    /**
     * The case as it is at its partition's event time: expired, or gone, if that is due, though its timer has not been
     * fired yet.
     *
     * @param atMs of the record that is taken, for the history
     */
    private @Nullable CaseDraft current(String caseId, long atMs) {
        CaseDraft draft = draft(caseId);
        if (draft == null || !draft.head().due(eventTimeUs(draft.head()))) {
            return draft;
        }
        if (draft.head().standing().closed()) {
            drafts.remove(caseId);
            pruned.add(caseId);
            String fingerprint = draft.head().origin().fingerprint();
            if (latestId(fingerprint).filter(caseId::equals).isPresent()) {
                latestCases.put(fingerprint, Optional.empty());
            }
            return null;
        }
        draft.expire(eventTimeUs(draft.head()), atMs);
        expiredCount++;
        return draft;
    }

    private @Nullable CaseDraft draft(String caseId) {
        CaseDraft known = drafts.get(caseId);
        if (known != null || pruned.contains(caseId)) {
            return known;
        }
        Optional<CaseDraft> stored = store.head(caseId).map(head -> new CaseDraft(head, config));
        stored.ifPresent(draft -> drafts.put(caseId, draft));
        return stored.orElse(null);
    }

    private long eventTimeUs(CaseHead head) {
        return eventTimeUs(head.origin().partition());
    }

    /** Of the alerts so far, µs since the epoch; far in the past before the first. */
    public long eventTimeUs(int partition) {
        Long inBatch = eventTimesUs.get(partition);
        return inBatch != null ? inBatch : store.eventTimeUs(partition).orElse(Long.MIN_VALUE);
    }

    public long openedCount() {
        return openedCount;
    }

    public long expiredCount() {
        return expiredCount;
    }

    /** What has changed in the end. */
    public CaseChanges changes() {
        List<CaseChanges.Changed> changed = drafts.values().stream()
                .filter(CaseDraft::changed)
                .map(CaseDraft::changes)
                .toList();
        return new CaseChanges(changed, latestCases, List.copyOf(pruned));
    }
}
