package dev.vigil.dashboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.config.Durations;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.event.endpoint.EndpointView;
import dev.vigil.event.endpoint.Endpoints;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that alerts go to. Everything that changes something asks for a content type that no foreign page can send without
 * being allowed to.
 */
final class EndpointRoutes implements WebServer.Routes {
    static final String PATH = "/api/v1/endpoints";
    static final String FAILED_PATH = "/api/v1/failed-deliveries";
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private static final String ONE = PATH + "/{name}";
    private static final int MAX_KEY_CHARACTERS = 256;
    private static final int RETRY_SECONDS = 2;
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 10_000;

    private final Supplier<Endpoints> endpoints;

    /** @param endpoints asked for each question; may refuse */
    EndpointRoutes(Supplier<Endpoints> endpoints) {
        this.endpoints = endpoints;
    }

    record EndpointList(List<EndpointView> endpoints) {}

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.get(
                PATH,
                ctx -> ApiJson.write(
                        ctx, 200, new EndpointList(asked(() -> endpoints.get().list()))));
        routes.post(PATH, ctx -> {
            JsonNode definition = body(ctx);
            String key = idempotencyKey(ctx);
            ApiJson.write(ctx, 201, asked(() -> endpoints.get().create(definition, key)));
            forbidKeeping(ctx);
        });
        routes.get(
                ONE, ctx -> ApiJson.write(ctx, 200, asked(() -> endpoints.get().show(name(ctx)))));
        routes.patch(ONE, ctx -> {
            JsonNode changes = body(ctx);
            ApiJson.write(ctx, 200, asked(() -> endpoints.get().change(name(ctx), changes)));
        });
        routes.delete(ONE, ctx -> {
            asked(() -> {
                endpoints.get().delete(name(ctx));
                return name(ctx);
            });
            ctx.status(204);
        });
        routes.post(ONE + "/rotate-secret", ctx -> {
            Duration overlap = overlap(body(ctx));
            String key = idempotencyKey(ctx);
            ApiJson.write(ctx, 200, asked(() -> endpoints.get().rotateSecret(name(ctx), overlap, key)));
            forbidKeeping(ctx);
        });
        routes.post(ONE + "/pause", ctx -> {
            body(ctx);
            ApiJson.write(ctx, 200, asked(() -> endpoints.get().pause(name(ctx))));
        });
        routes.post(ONE + "/resume", ctx -> {
            body(ctx);
            ApiJson.write(ctx, 200, asked(() -> endpoints.get().resume(name(ctx))));
        });
        routes.post(ONE + "/test", ctx -> {
            body(ctx);
            ApiJson.write(ctx, 200, asked(() -> endpoints.get().test(name(ctx))));
        });
        routes.get(FAILED_PATH, ctx -> {
            String endpoint = Parameters.text(ctx, "endpoint");
            long fromMs = timeMs("from", Parameters.text(ctx, "from"), 0);
            long toMs = timeMs("to", Parameters.text(ctx, "to"), Long.MAX_VALUE);
            int limit = Parameters.limit(ctx, DEFAULT_LIMIT, MAX_LIMIT);
            ApiJson.write(ctx, 200, asked(() -> endpoints.get().failed(endpoint, fromMs, toMs, limit)));
        });
        routes.post(ONE + "/redeliver", ctx -> {
            Again again = again(ctx);
            ApiJson.write(
                    ctx,
                    200,
                    asked(() -> endpoints.get().redeliver(name(ctx), again.fromMs, again.toMs, again.dryRun)));
        });
    }

    private static String name(Context ctx) {
        return ctx.pathParam("name");
    }

    /** It holds a secret. */
    private static void forbidKeeping(Context ctx) {
        ctx.header("Cache-Control", "no-store");
    }

    private static @Nullable String idempotencyKey(Context ctx) {
        String key = ctx.header(IDEMPOTENCY_KEY);
        if (key == null || key.isEmpty()) {
            return null;
        }
        if (key.length() > MAX_KEY_CHARACTERS) {
            throw new ProblemException(Problem.of(
                    400,
                    "bad-idempotency-key",
                    "Bad idempotency key",
                    "Expected at most " + MAX_KEY_CHARACTERS + " characters."));
        }
        return key;
    }

    /** An object; nothing is as good as an empty one. */
    private static JsonNode body(Context ctx) {
        String type = ctx.contentType();
        if (type == null || !isJson(type)) {
            throw new ProblemException(
                    Problem.of(415, "unsupported-media-type", "Unsupported media type", "Expected application/json."));
        }
        byte[] bytes = ctx.bodyAsBytes();
        if (bytes.length == 0) {
            return Json.mapper().createObjectNode();
        }
        try {
            JsonNode body = ApiJson.decode(bytes, JsonNode.class);
            if (body != null && body.isObject()) {
                return body;
            }
        } catch (IOException e) {
            throw badBody();
        }
        throw badBody();
    }

    private static boolean isJson(String contentType) {
        String type = contentType.toLowerCase(Locale.ROOT);
        return type.startsWith("application/json") || type.startsWith("application/merge-patch+json");
    }

    private static ProblemException badBody() {
        return new ProblemException(Problem.of(400, "bad-endpoint", "Bad endpoint", "Expected a JSON object."));
    }

    private record Again(long fromMs, long toMs, boolean dryRun) {}

    private static Again again(Context ctx) {
        JsonNode body = body(ctx);
        Set<String> others = new TreeSet<>();
        body.fieldNames().forEachRemaining(others::add);
        others.removeAll(List.of("from", "to", "dry_run"));
        JsonNode from = body.path("from");
        JsonNode to = body.path("to");
        JsonNode dryRun = body.path("dry_run");
        if (!others.isEmpty()
                || !from.isTextual()
                || !(to.isMissingNode() || to.isTextual())
                || !(dryRun.isMissingNode() || dryRun.isBoolean())) {
            throw new ProblemException(Problem.of(
                    400,
                    "bad-endpoint",
                    "Bad endpoint",
                    "Expected from, a time, and perhaps to, a time, and dry_run, true or false."));
        }
        return new Again(
                timeMs("from", from.textValue(), 0),
                timeMs("to", to.textValue(), Long.MAX_VALUE),
                dryRun.asBoolean(false));
    }

    private static long timeMs(String name, @Nullable String text, long whenAbsent) {
        try {
            return text == null ? whenAbsent : Math.floorDiv(EventTimes.parse(text), 1_000L);
        } catch (DateTimeException e) {
            throw ProblemException.badParameter(name, "expected a time such as 2026-11-30T12:00:00Z");
        }
    }

    private static @Nullable Duration overlap(JsonNode body) {
        JsonNode overlap = body.path("overlap");
        if (body.size() > (overlap.isMissingNode() ? 0 : 1)) {
            throw new ProblemException(
                    Problem.of(400, "bad-endpoint", "Bad endpoint", "Expected overlap and nothing else."));
        }
        if (overlap.isMissingNode() || overlap.isNull()) {
            return null;
        }
        try {
            return Durations.parse(overlap.asText());
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problem.of(400, "bad-endpoint", "Bad endpoint", "overlap: " + e.getMessage()));
        }
    }

    private static <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (EndpointRefusedException e) {
            throw problem(e);
        }
    }

    private static ProblemException problem(EndpointRefusedException e) {
        String detail = e.getMessage();
        return switch (e.kind()) {
            case INVALID -> new ProblemException(Problem.of(400, name(e.kind()), "Bad endpoint", detail));
            case UNKNOWN -> new ProblemException(Problem.of(404, name(e.kind()), "No such endpoint", detail));
            case CONFLICT -> new ProblemException(Problem.of(409, name(e.kind()), "Not as things are", detail));
            case BUSY -> new ProblemException(Problem.of(429, name(e.kind()), "Busy", detail), RETRY_SECONDS);
            case UNAVAILABLE ->
                new ProblemException(Problem.of(503, name(e.kind()), "No alerting", detail), RETRY_SECONDS);
        };
    }

    private static String name(Kind kind) {
        return switch (kind) {
            case INVALID -> "bad-endpoint";
            case UNKNOWN -> "no-such-endpoint";
            case CONFLICT -> "endpoint-conflict";
            case BUSY -> "endpoints-busy";
            case UNAVAILABLE -> "endpoints-unavailable";
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
