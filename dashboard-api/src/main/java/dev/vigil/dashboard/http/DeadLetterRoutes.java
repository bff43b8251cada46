package dev.vigil.dashboard.http;

import dev.vigil.config.NearestName;
import dev.vigil.dashboard.deadletter.DeadLetters;
import dev.vigil.dashboard.deadletter.LetterFilter;
import dev.vigil.dashboard.deadletter.LetterPosition;
import dev.vigil.dashboard.deadletter.LetterView;
import dev.vigil.dashboard.deadletter.RetryOutcome;
import dev.vigil.dashboard.deadletter.StoredLetter;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventTimes;
import dev.vigil.service.ServiceException;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.time.DateTimeException;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dead letters, and putting one back. Two requests at a time: each has a connection to the broker of its own, and waits
 * for it.
 */
final class DeadLetterRoutes implements WebServer.Routes {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterRoutes.class);
    private static final String PATH = "/api/v1/dead-letters";
    private static final String ONE = PATH + "/{partition}/{offset}";
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 1_000;
    /** An offset for each of a thousand partitions, which is the most that a topic of ours has; below what Jetty takes. */
    private static final int MAX_CURSOR_CHARACTERS = 12_000;

    private static final int MAX_AT_ONCE = 2;
    private static final int RETRY_SECONDS = 2;

    private final DeadLetters letters;
    private final Semaphore slots = new Semaphore(MAX_AT_ONCE);

    DeadLetterRoutes(DeadLetters letters) {
        this.letters = letters;
    }

    record PutBack(LetterPosition position, String into) {}

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.get(PATH, this::list);
        routes.get(ONE, this::show);
        routes.post(ONE + "/retry", this::retry);
    }

    private void list(Context ctx) {
        String reason = Parameters.text(ctx, "reason");
        if (reason != null && !DeadLetter.Reason.codes().contains(reason)) {
            throw ProblemException.badParameter(
                    "reason",
                    NearestName.of(reason, DeadLetter.Reason.codes())
                            .map(nearest -> "no such reason, did you mean " + nearest + "?")
                            .orElse("expected one of " + String.join(", ", DeadLetter.Reason.codes())));
        }
        LetterFilter filter = new LetterFilter(
                reason,
                Parameters.text(ctx, "stage"),
                timeMs(ctx, "from", Long.MIN_VALUE),
                timeMs(ctx, "to", Long.MAX_VALUE));
        int limit = Parameters.limit(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        String cursor = Parameters.text(ctx, "cursor", MAX_CURSOR_CHARACTERS);
        ApiJson.write(ctx, 200, asked(() -> {
            try {
                return letters.list(filter, limit, cursor);
            } catch (IllegalArgumentException e) {
                throw ProblemException.badParameter("cursor", String.valueOf(e.getMessage()));
            }
        }));
    }

    private static long timeMs(Context ctx, String name, long whenAbsent) {
        String text = Parameters.text(ctx, name);
        try {
            return text == null ? whenAbsent : Math.floorDiv(EventTimes.parse(text), 1_000L);
        } catch (DateTimeException e) {
            throw ProblemException.badParameter(name, "expected a time such as 2026-11-30T12:00:00Z");
        }
    }

    private void show(Context ctx) {
        LetterPosition position = position(ctx);
        ApiJson.write(ctx, 200, asked(() -> {
            StoredLetter letter = letters.find(position).orElseThrow(DeadLetterRoutes::gone);
            return LetterView.of(letters.summary(letter), letter);
        }));
    }

    /** Asks for a content type that no foreign page can send without being allowed to. */
    private void retry(Context ctx) {
        String type = ctx.contentType();
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            throw new ProblemException(
                    Problem.of(415, "unsupported-media-type", "Unsupported media type", "Expected application/json."));
        }
        LetterPosition position = position(ctx);
        RetryOutcome outcome =
                asked(() -> letters.retry(new TreeSet<>(List.of(position)))).get(0);
        String into = outcome.into();
        if (into == null) {
            throw RetryOutcome.GONE.equals(outcome.refusal()) ? gone() : notRetryable(outcome.refusal());
        }
        ApiJson.write(ctx, 200, new PutBack(position, into));
    }

    private static LetterPosition position(Context ctx) {
        try {
            return LetterPosition.parse(ctx.pathParam("partition") + ":" + ctx.pathParam("offset"));
        } catch (IllegalArgumentException e) {
            throw gone();
        }
    }

    private static ProblemException gone() {
        return new ProblemException(Problem.of(
                404, "no-such-letter", "No such dead letter", "There is none at this position, or none any more."));
    }

    private static ProblemException notRetryable(@Nullable String why) {
        return new ProblemException(Problem.of(409, "not-retryable", "Cannot be put back", why));
    }

    private <T> T asked(Supplier<T> question) {
        if (!slots.tryAcquire()) {
            throw new ProblemException(
                    Problem.of(429, "busy", "Too many requests", "Others are reading dead letters; ask again."),
                    RETRY_SECONDS);
        }
        try {
            return question.get();
        } catch (ServiceException e) {
            LOG.warn("dead letters: {}", e.getMessage());
            throw new ProblemException(
                    Problem.of(
                            503,
                            "broker-unavailable",
                            "Unavailable",
                            "The broker did not answer, or not for all of it. Ask again; what was put back already counts"
                                    + " once."),
                    RETRY_SECONDS);
        } finally {
            slots.release();
        }
    }
}
