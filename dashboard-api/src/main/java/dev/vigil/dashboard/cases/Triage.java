package dev.vigil.dashboard.cases;

import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.AlertCase.CaseEntry;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.cases.CasesUnavailableException;
import dev.vigil.service.EpochClock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Does things about cases: sends the action, then waits for alerting to have taken it, so that whoever asked sees what became of it.
 * Safe for any thread; keeps nothing.
 */
public final class Triage {
    /** How long {@link #act} waits in a deployment. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final long FIRST_PAUSE_MS = 5;
    private static final long LONGEST_PAUSE_MS = 160;

    private final Cases cases;
    private final CaseActions actions;
    private final EpochClock clock;
    private final Duration patience;

    public Triage(Cases cases, CaseActions actions, EpochClock clock, Duration patience) {
        this.cases = cases;
        this.actions = actions;
        this.clock = clock;
        this.patience = patience;
    }

    public Cases cases() {
        return cases;
    }

    /**
     * Does it once, however often it is called with the same id.
     *
     * @param name who does it
     * @return the case as it is afterwards; empty if the action is stored for good and not taken yet
     * @throws NoSuchCaseException if there is none
     * @throws BadActionException if the request does not fit the case
     * @throws CaseConflictException if it did nothing
     * @throws CasesUnavailableException if alerting does not answer; nothing was sent
     * @throws ActionNotStoredException if the broker did not confirm it
     */
    public Optional<AlertCase> act(String caseId, ActionRequest request, String actionId, String name) {
        AlertCase before = cases.find(caseId).orElseThrow(() -> new NoSuchCaseException(caseId));
        CaseEntry done = entry(before, actionId);
        if (done != null) {
            requireSame(done, request, name);
        }
        if (isTaken(before, request, actionId)) {
            return Optional.of(before);
        }
        actions.append(request.on(before, actionId, name, clock.epochMs()));
        return await(caseId, request, actionId);
    }

    /** An id is one action's: a second one under it would be dropped in silence. */
    private static void requireSame(CaseEntry done, ActionRequest request, String name) {
        boolean isApplied = isKind(done.done());
        if (isApplied
                && !(done.done().equals(request.kind().label()) && done.by().equals(name))) {
            throw new CaseConflictException("the action id " + done.actionId() + " is that of another action: "
                    + done.done() + " by " + done.by());
        }
    }

    private static boolean isKind(String label) {
        for (CaseAction.Kind kind : CaseAction.Kind.values()) {
            if (kind.label().equals(label)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the history has the action.
     *
     * @throws CaseConflictException if it was refused, or is going to be: revisions only grow
     */
    private static boolean isTaken(AlertCase now, ActionRequest request, String actionId) {
        CaseEntry entry = entry(now, actionId);
        if (entry != null && entry.done().equals(request.kind().label())) {
            return true;
        }
        if (entry != null) {
            throw new CaseConflictException(entry.text() == null ? "the action was refused" : entry.text());
        }
        Long expected = request.ifRevision();
        if (expected != null && expected != now.revision()) {
            throw new CaseConflictException(
                    "the case has moved on: expected revision " + expected + ", found " + now.revision() + last(now));
        }
        return false;
    }

    private static String last(AlertCase now) {
        if (now.history().isEmpty()) {
            return "";
        }
        CaseEntry last = now.history().get(now.history().size() - 1);
        return "; the last in its history is " + last.done() + " by " + last.by();
    }

    private static @Nullable CaseEntry entry(AlertCase of, String actionId) {
        return of.history().stream()
                .filter(entry -> entry.actionId().equals(actionId))
                .findFirst()
                .orElse(null);
    }

    private Optional<AlertCase> await(String caseId, ActionRequest request, String actionId) {
        long deadlineNs = System.nanoTime() + patience.toNanos();
        for (long pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
            try {
                Optional<AlertCase> now = cases.find(caseId);
                if (now.isPresent() && isTaken(now.get(), request, actionId)) {
                    return now;
                }
            } catch (CasesUnavailableException e) {
                return Optional.empty(); // stored for good: alerting takes it when it is there again
            }
            if (System.nanoTime() - deadlineNs > 0 || !slept(pauseMs)) {
                return Optional.empty();
            }
        }
    }

    private static boolean slept(long ms) {
        try {
            Thread.sleep(ms);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
