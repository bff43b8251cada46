package dev.vigil.dashboard.intake;

import dev.vigil.event.EventEnvelope;
import java.util.List;

/**
 * The outcome of reading a body: events to publish, or everything that is wrong with them; never both.
 *
 * @param warnings of events that are published all the same
 * @param eventCount events that were read, refused ones included
 * @param tokenisedCount values in which tokens took the place of card numbers
 */
public record Submission(
        List<EventEnvelope> events,
        List<EventProblem> problems,
        List<EventProblem> warnings,
        int eventCount,
        int tokenisedCount) {
    public Submission {
        events = problems.isEmpty() ? List.copyOf(events) : List.of();
        warnings = problems.isEmpty() ? List.copyOf(warnings) : List.of();
        problems = List.copyOf(problems);
    }
}
