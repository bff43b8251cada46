package dev.vigil.dashboard.intake;

import dev.vigil.event.EventEnvelope;
import java.util.List;

/** The outcome of reading a body: events to publish, or everything that is wrong with them; never both. */
public record Submission(List<EventEnvelope> events, List<EventProblem> problems) {
    public Submission {
        events = problems.isEmpty() ? List.copyOf(events) : List.of();
        problems = List.copyOf(problems);
    }
}
