package dev.vigil.dashboard.http;

import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.CloudEventReader;
import dev.vigil.dashboard.intake.DeclaredTypes;
import dev.vigil.dashboard.intake.EventLog;
import dev.vigil.dashboard.intake.EventLogException;
import dev.vigil.dashboard.intake.EventProblem;
import dev.vigil.dashboard.intake.IntakeConfig;
import dev.vigil.dashboard.intake.Submission;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Takes CloudEvents by HTTP: answers 202 once the log holds every one of them, and whatever else in a way that lets the
 * client do the right thing: 4xx, correct it; 429 and 503, send it again.
 */
final class IntakeRoutes implements WebServer.Routes {
    private static final String STRUCTURED = "application/cloudevents+json";
    private static final String BATCH = "application/cloudevents-batch+json";

    private final ActivePolicy policy;
    private final CloudEventReader reader;
    private final EventLog log;
    private final IntakeMeters meters;
    private final Semaphore slots;

    IntakeRoutes(IntakeConfig config, ActivePolicy policy, CloudEventReader reader, EventLog log, IntakeMeters meters) {
        this.policy = policy;
        this.reader = reader;
        this.log = log;
        this.meters = meters;
        this.slots = new Semaphore(config.maxInFlight());
    }

    /** @param warnings absent where there are none */
    record Accepted(int accepted, @Nullable List<EventProblem> warnings) {}

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.post("/api/v1/events", this::accept);
    }

    private void accept(Context ctx) {
        Submission submission = read(ctx, policy.types().orElseThrow(this::noPolicy));
        if (!submission.problems().isEmpty()) {
            meters.refused(submission.problems());
            throw new ProblemException(Problem.refusedEvents(submission.problems()));
        }
        if (!slots.tryAcquire()) {
            throw new ProblemException(
                    Problem.of(
                            429,
                            "busy",
                            "Too many requests",
                            "Too much waits for the broker already; send this again."),
                    1);
        }
        int count = submission.events().size();
        List<EventProblem> warnings = submission.warnings();
        ctx.future(() -> log.append(submission.events())
                .whenComplete((stored, failure) -> slots.release())
                .handle((stored, failure) -> {
                    if (failure != null) {
                        throw unavailable(failure);
                    }
                    meters.accepted(count);
                    ApiJson.write(ctx, 202, new Accepted(count, warnings.isEmpty() ? null : warnings));
                    return null;
                }));
    }

    private static RuntimeException unavailable(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (!(cause instanceof EventLogException)) {
            return new CompletionException(cause);
        }
        return new ProblemException(
                Problem.of(
                        503,
                        "log-unavailable",
                        "Unavailable",
                        "The broker did not confirm every event. Send all of them again, with the same source and id: "
                                + "what is stored already is dropped as a duplicate."),
                5);
    }

    private ProblemException noPolicy() {
        return policy.state() == ActivePolicy.State.READING
                ? new ProblemException(
                        Problem.of(
                                503,
                                "starting",
                                "Starting",
                                "The log is still being read to find the active policy; send this again."),
                        2)
                : new ProblemException(
                        Problem.of(
                                503,
                                "no-policy",
                                "No policy",
                                "No policy is active, so nothing can be scored. 'vigil policy apply FILE' activates one;"
                                        + " then send this again."),
                        10);
    }

    private Submission read(Context ctx, DeclaredTypes types) {
        String contentType = ctx.contentType();
        return switch (mediaType(contentType)) {
            case STRUCTURED -> reader.readStructured(ctx.bodyAsBytes(), types);
            case BATCH -> reader.readBatch(ctx.bodyAsBytes(), types);
            default -> {
                if (ctx.header("ce-specversion") == null && ctx.header("ce-id") == null) {
                    throw new ProblemException(Problem.of(
                            415,
                            "unsupported-media-type",
                            "Unsupported media type",
                            "Expected " + STRUCTURED + ", " + BATCH + ", or application/json with ce- headers."));
                }
                yield reader.readBinary(BinaryHeaders.attributes(ctx.req()), contentType, ctx.bodyAsBytes(), types);
            }
        };
    }

    private static String mediaType(@Nullable String contentType) {
        if (contentType == null) {
            return "";
        }
        int parameters = contentType.indexOf(';');
        String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
        return type.strip().toLowerCase(Locale.ROOT);
    }
}
