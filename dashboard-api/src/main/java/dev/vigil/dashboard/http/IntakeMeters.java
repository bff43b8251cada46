package dev.vigil.dashboard.http;

import dev.vigil.dashboard.intake.EventProblem;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** What the intake took and refused, in events. Safe for any thread. */
final class IntakeMeters {
    private final Counter accepted;
    private final Counter refused;

    IntakeMeters(MeterRegistry meters) {
        this.accepted = Counter.builder("vigil.intake.accepted")
                .description("Events that the log acknowledged")
                .register(meters);
        this.refused = Counter.builder("vigil.intake.refused")
                .description("Events refused with 4xx")
                .register(meters);
    }

    void accepted(int events) {
        accepted.increment(events);
    }

    /** Several problems of one event count once. */
    void refused(List<EventProblem> problems) {
        refused.increment(problems.stream().map(EventProblem::index).distinct().count());
    }

    long acceptedCount() {
        return (long) accepted.count();
    }

    long refusedCount() {
        return (long) refused.count();
    }
}
