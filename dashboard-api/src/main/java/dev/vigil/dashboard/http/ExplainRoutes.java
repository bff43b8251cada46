package dev.vigil.dashboard.http;

import dev.vigil.dashboard.explain.Explanations;
import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import org.jspecify.annotations.Nullable;

/**
 * Why an event was scored as it was. Account, id and source are query parameters and not parts of the path: they may hold
 * slashes, which servers and proxies refuse in a path even where they are encoded.
 */
final class ExplainRoutes implements WebServer.Routes {
    static final String PATH = "/api/v1/events/explain";

    private static final int RETRY_SECONDS = 2;

    private final Explanations explanations;

    ExplainRoutes(Explanations explanations) {
        this.explanations = explanations;
    }

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.get(PATH, this::explain);
    }

    private void explain(Context ctx) {
        String account = required(ctx, "account");
        String id = required(ctx, "id");
        try {
            ApiJson.write(ctx, 200, explanations.explain(account, id, Parameters.text(ctx, "source")));
        } catch (CannotExplainException e) {
            throw problem(e);
        }
    }

    private static String required(Context ctx, String name) {
        String text = Parameters.text(ctx, name);
        if (text == null) {
            throw ProblemException.badParameter(name, "expected a value");
        }
        return text;
    }

    private static ProblemException problem(CannotExplainException e) {
        String detail = e.getMessage();
        return switch (e.kind()) {
            case UNKNOWN -> new ProblemException(Problem.of(404, name(e.kind()), "No such event", detail));
            case AMBIGUOUS -> new ProblemException(Problem.of(409, name(e.kind()), "Several such events", detail));
            case POLICY_GONE -> new ProblemException(Problem.of(410, name(e.kind()), "Policy not kept", detail));
            case BUSY -> new ProblemException(Problem.of(429, name(e.kind()), "Busy", detail), RETRY_SECONDS);
            case ELSEWHERE ->
                new ProblemException(Problem.of(503, name(e.kind()), "Not of this engine", detail), RETRY_SECONDS);
            case UNAVAILABLE ->
                new ProblemException(Problem.of(503, name(e.kind()), "No engine", detail), RETRY_SECONDS);
        };
    }

    private static String name(Kind kind) {
        return switch (kind) {
            case UNKNOWN -> "no-such-event";
            case AMBIGUOUS -> "ambiguous-event";
            case POLICY_GONE -> "policy-gone";
            case BUSY -> "engine-busy";
            case ELSEWHERE -> "elsewhere";
            case UNAVAILABLE -> "engine-unavailable";
        };
    }

    /** What a problem of this type means; null if it is none of these. */
    static @Nullable Kind kind(String problemType) {
        for (Kind kind : Kind.values()) {
            if (problemType.equals(Problem.of(0, name(kind), "", null).type())) {
                return kind;
            }
        }
        return null;
    }
}
