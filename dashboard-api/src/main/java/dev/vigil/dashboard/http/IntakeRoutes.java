package dev.vigil.dashboard.http;

import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.Admission;
import dev.vigil.dashboard.intake.CloudEventReader;
import dev.vigil.dashboard.intake.ContentMode;
import dev.vigil.dashboard.intake.DeclaredTypes;
import dev.vigil.dashboard.intake.EventLog;
import dev.vigil.dashboard.intake.EventLogException;
import dev.vigil.dashboard.intake.EventProblem;
import dev.vigil.dashboard.intake.IntakeConfig;
import dev.vigil.dashboard.intake.Submission;
import dev.vigil.event.EventEnvelope;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Takes CloudEvents by HTTP: answers 202 once the log holds every one of them, and whatever else in a way that lets the
 * client do the right thing: 4xx, correct it; 429 and 503, send it again.
 */
final class IntakeRoutes implements WebServer.Routes {
    private final ActivePolicy policy;
    private final CloudEventReader reader;
    private final EventLog log;
    private final ClientAddress addresses;
    private final ClientRates rates;
    private final Admission admission;
    private final IntakeMeters meters;

    IntakeRoutes(
            IntakeConfig config, ActivePolicy policy, CloudEventReader reader, EventLog log, MeterRegistry meters) {
        this.policy = policy;
        this.reader = reader;
        this.log = log;
        this.addresses = new ClientAddress(config.rateLimit().trustedProxies());
        this.rates = new ClientRates(config.rateLimit());
        this.admission = new Admission(config.maxInFlight(), config.maxInFlightBytes());
        this.meters = new IntakeMeters(meters, admission);
    }

    /** @param warnings absent where there are none */
    record Accepted(int accepted, @Nullable List<EventProblem> warnings) {}

    IntakeMeters meters() {
        return meters;
    }

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.post("/api/v1/events", this::accept);
    }

    private void accept(Context ctx) {
        InetAddress client = addresses.of(ctx.req());
        take(client, 1);
        Submission submission = read(ctx, policy.types().orElseThrow(this::noPolicy));
        int furtherEvents = Math.max(0, submission.eventCount() - 1);
        if (!submission.problems().isEmpty()) {
            rates.takeRefused(client, furtherEvents);
            meters.refused(submission);
            throw new ProblemException(Problem.refusedEvents(submission.problems()));
        }
        take(client, furtherEvents);
        append(ctx, submission);
    }

    private void take(InetAddress client, int events) {
        try {
            rates.take(client, events);
        } catch (ProblemException e) {
            meters.turnedAway("rate-limited");
            throw e;
        }
    }

    private void append(Context ctx, Submission submission) {
        long bytes = submission.events().stream()
                .mapToLong(event -> event.data().length)
                .sum();
        switch (admission.enter(bytes)) {
            case FULL -> throw turnedAway(IntakeProblems.busy(0));
            case LOG_IS_AWAY -> throw turnedAway(IntakeProblems.unavailable(0));
            case ADMITTED -> {}
        }
        long startNs = System.nanoTime();
        ctx.future(() -> appended(submission.events()).handle((stored, thrown) -> {
            Throwable failure =
                    thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
            admission.leave(bytes, isAnswer(failure));
            if (failure != null) {
                meters.unconfirmed(submission.events().size());
                throw refusal(failure, submission.events());
            }
            meters.accepted(submission, Duration.ofNanos(System.nanoTime() - startNs));
            answer(ctx, submission);
            return null;
        }));
    }

    /** Whatever happens, what was admitted leaves. */
    private CompletableFuture<Void> appended(List<EventEnvelope> events) {
        try {
            return log.append(events);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void answer(Context ctx, Submission submission) {
        List<EventProblem> warnings = submission.warnings();
        ApiJson.write(
                ctx,
                202,
                new Accepted(submission.events().size(), warnings.isEmpty() ? null : Problem.first(warnings)));
    }

    private static boolean isAnswer(@Nullable Throwable failure) {
        return !(failure instanceof EventLogException refusal)
                || refusal.reason() != EventLogException.Reason.UNAVAILABLE
                || refusal.stored() > 0;
    }

    private RuntimeException refusal(Throwable failure, List<EventEnvelope> events) {
        if (!(failure instanceof EventLogException refusal)) {
            return new CompletionException(failure);
        }
        return switch (refusal.reason()) {
            case BUSY -> turnedAway(IntakeProblems.busy(refusal.stored()));
            case UNAVAILABLE -> turnedAway(IntakeProblems.unavailable(refusal.stored()));
            case TOO_LARGE ->
                IntakeProblems.tooLarge(
                        refusal.stored(),
                        events.stream()
                                .mapToInt(event -> event.data().length)
                                .max()
                                .orElse(0));
        };
    }

    private ProblemException noPolicy() {
        return turnedAway(
                policy.state() == ActivePolicy.State.READING ? IntakeProblems.starting() : IntakeProblems.noPolicy());
    }

    private ProblemException turnedAway(ProblemException problem) {
        meters.turnedAway(problem.problem().name());
        return problem;
    }

    private Submission read(Context ctx, DeclaredTypes types) {
        String contentType = ctx.contentType();
        return switch (ContentMode.of(contentType)) {
            case STRUCTURED -> reader.readStructured(ctx.bodyAsBytes(), types);
            case BATCH -> reader.readBatch(ctx.bodyAsBytes(), types);
            case BINARY -> {
                if (ctx.header("ce-specversion") == null && ctx.header("ce-id") == null) {
                    throw new ProblemException(Problem.of(
                            415,
                            "unsupported-media-type",
                            "Unsupported media type",
                            "Expected " + ContentMode.STRUCTURED_TYPE + ", " + ContentMode.BATCH_TYPE
                                    + ", or application/json with ce- headers."));
                }
                List<EventProblem> problems = new ArrayList<>();
                Map<String, String> attributes = BinaryHeaders.attributes(ctx.req(), problems);
                yield problems.isEmpty()
                        ? reader.readBinary(attributes, contentType, ctx.bodyAsBytes(), types)
                        : new Submission(List.of(), problems, List.of(), 1, 0);
            }
        };
    }
}
