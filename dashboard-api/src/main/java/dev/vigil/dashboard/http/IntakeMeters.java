package dev.vigil.dashboard.http;

import dev.vigil.dashboard.intake.Admission;
import dev.vigil.dashboard.intake.EventProblem;
import dev.vigil.dashboard.intake.Submission;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** What the intake took, refused and turned away. Labels are names of this program, never anything that was sent. Safe for any thread. */
final class IntakeMeters {
    private static final String EVENTS = "vigil.intake.events";
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10)
    };

    private final MeterRegistry meters;
    private final Counter accepted;
    private final Counter refused;
    private final Counter unconfirmed;
    private final Counter unknownFields;
    private final Counter tokenised;
    private final Timer acknowledgement;

    IntakeMeters(MeterRegistry meters, Admission admission) {
        this.meters = meters;
        this.accepted = events("accepted");
        this.refused = events("refused");
        this.unconfirmed = events("unconfirmed");
        this.unknownFields = Counter.builder("vigil.intake.unknown.fields")
                .description("Fields that no policy declares, of events that were taken all the same")
                .register(meters);
        this.tokenised = Counter.builder("vigil.intake.tokenised")
                .description("Values in which tokens took the place of card numbers")
                .register(meters);
        this.acknowledgement = Timer.builder("vigil.intake.acknowledgement")
                .description("From handing a request's events to the broker until it had them all")
                .serviceLevelObjectives(BUCKETS)
                .register(meters);
        Gauge.builder("vigil.intake.in.flight", admission, Admission::submissions)
                .description("Requests that wait for the broker")
                .register(meters);
        Gauge.builder("vigil.intake.in.flight.bytes", admission, Admission::bytes)
                .description("Data in the requests that wait for the broker")
                .baseUnit("bytes")
                .register(meters);
    }

    private Counter events(String outcome) {
        return Counter.builder(EVENTS)
                .description("Events by outcome: accepted by the log, refused for what they are, not confirmed by the"
                        + " broker")
                .tag("outcome", outcome)
                .register(meters);
    }

    void accepted(Submission submission, Duration waited) {
        accepted.increment(submission.events().size());
        unknownFields.increment(submission.warnings().size());
        tokenised.increment(submission.tokenisedCount());
        acknowledgement.record(waited);
    }

    void unconfirmed(int events) {
        unconfirmed.increment(events);
    }

    /** Several problems of one event count once as an event, and each as a problem. */
    void refused(Submission submission) {
        refused.increment(submission.problems().stream()
                .map(EventProblem::index)
                .distinct()
                .count());
        for (EventProblem problem : submission.problems()) {
            Counter.builder("vigil.intake.problems")
                    .description("What was wrong with refused events")
                    .tag("code", problem.code())
                    .register(meters)
                    .increment();
        }
    }

    /** A request that was not looked at, or not published, though nothing may be wrong with it. @param reason one of a few */
    void turnedAway(String reason) {
        Counter.builder("vigil.intake.turned.away")
                .description("Requests to be sent again, by reason")
                .tag("reason", reason)
                .register(meters)
                .increment();
    }

    long acceptedCount() {
        return (long) accepted.count();
    }

    long refusedCount() {
        return (long) refused.count();
    }
}
