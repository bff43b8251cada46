package dev.vigil.dashboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Decision;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.event.endpoint.EndpointTest;
import dev.vigil.event.endpoint.EndpointView;
import dev.vigil.event.endpoint.EndpointWithSecret;
import dev.vigil.event.endpoint.Endpoints;
import dev.vigil.event.endpoint.FailedDeliveries;
import dev.vigil.event.endpoint.FailedDelivery;
import dev.vigil.event.endpoint.Redelivery;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Endpoints in memory. A name such as {@code refused-busy} is refused in that way; the other checks are alerting's. */
final class FakeEndpoints implements Endpoints {
    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private final Map<String, EndpointView> endpoints = new TreeMap<>();
    final List<String> asked = new ArrayList<>();

    @Override
    public synchronized List<EndpointView> list() {
        return List.copyOf(endpoints.values());
    }

    @Override
    public synchronized EndpointView show(String name) {
        return known(name);
    }

    @Override
    public synchronized EndpointWithSecret create(JsonNode definition, @Nullable String idempotencyKey) {
        String name = definition.path("name").asText();
        requireTakes(name);
        asked.add("create " + definition + " " + idempotencyKey);
        EndpointView made = view(name, false, List.of());
        endpoints.put(name, made);
        return new EndpointWithSecret(made, definition.path("channel").asText().equals("slack") ? null : SECRET);
    }

    @Override
    public synchronized EndpointView change(String name, JsonNode changes) {
        requireTakes(name);
        asked.add("change " + name + " " + changes);
        return known(name);
    }

    @Override
    public synchronized EndpointWithSecret rotateSecret(
            String name, @Nullable Duration overlap, @Nullable String idempotencyKey) {
        requireTakes(name);
        asked.add("rotate " + name + " " + overlap + " " + idempotencyKey);
        known(name);
        EndpointView rotated = view(name, false, List.of(1_800_086_400_000L));
        endpoints.put(name, rotated);
        return new EndpointWithSecret(rotated, SECRET);
    }

    @Override
    public synchronized EndpointView pause(String name) {
        known(name);
        EndpointView paused = view(name, true, List.of());
        endpoints.put(name, paused);
        return paused;
    }

    @Override
    public synchronized EndpointView resume(String name) {
        known(name);
        EndpointView resumed = view(name, false, List.of());
        endpoints.put(name, resumed);
        return resumed;
    }

    @Override
    public synchronized void delete(String name) {
        known(name);
        endpoints.remove(name);
    }

    @Override
    public synchronized EndpointTest test(String name) {
        known(name);
        return name.equals("dead")
                ? new EndpointTest("test_1", false, null, 15_000, "no answer within the time-out")
                : new EndpointTest("test_1", true, 204, 12, null);
    }

    @Override
    public synchronized FailedDeliveries failed(@Nullable String endpoint, long fromMs, long toMs, int limit) {
        asked.add("failed " + endpoint + " " + fromMs + " " + toMs + " " + limit);
        return new FailedDeliveries(
                List.of(
                        new FailedDelivery(
                                "a-2", "acc-1", "dead", 7, 503, "expected a 2xx answer, found 503", 1_000_000, 9_000),
                        new FailedDelivery("a-1", "acc-1", "gone", 0, null, null, 1_000_000, 8_000)),
                17);
    }

    @Override
    public synchronized Redelivery redeliver(String name, long fromMs, long toMs, boolean dryRun) {
        known(name);
        asked.add("redeliver " + name + " " + fromMs + " " + toMs + " " + dryRun);
        return new Redelivery(name, dryRun, 5, 3, 1, 1);
    }

    private EndpointView known(String name) {
        requireTakes(name);
        EndpointView view = endpoints.get(name);
        if (view == null) {
            throw new EndpointRefusedException(Kind.UNKNOWN, "there is no endpoint " + name);
        }
        return view;
    }

    private static void requireTakes(String name) {
        for (Kind kind : Kind.values()) {
            if (name.equals("refused-" + kind.name().toLowerCase(Locale.ROOT))) {
                throw new EndpointRefusedException(kind, "why " + name + " is refused");
            }
        }
    }

    private static EndpointView view(String name, boolean paused, List<Long> formerUntilMs) {
        return new EndpointView(
                name,
                EndpointView.Origin.API,
                "webhook",
                "https://hooks.example.com/…",
                paused,
                paused ? "paused" : "active",
                name.equals("dead") ? "no connection: refused or not reachable" : null,
                3,
                1,
                0,
                2,
                formerUntilMs,
                5_000,
                15_000,
                16,
                name.equals("dead") ? 50 : null,
                List.of(Decision.REVIEW, Decision.DECLINE),
                name.equals("dead") ? List.of("velocity") : null,
                80,
                name.equals("dead") ? new BigDecimal("250.00") : null,
                name.equals("dead") ? "amount" : null,
                "none");
    }
}
