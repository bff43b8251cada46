package dev.vigil.dashboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.event.endpoint.EndpointTest;
import dev.vigil.event.endpoint.EndpointView;
import dev.vigil.event.endpoint.EndpointWithSecret;
import dev.vigil.event.endpoint.Endpoints;
import dev.vigil.event.endpoint.FailedDeliveries;
import dev.vigil.event.endpoint.Redelivery;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks alerting in another process, at the address where it also tells its status; where it has several, one after the other
 * until one is there that is in charge.
 */
public final class RemoteEndpoints implements Endpoints {
    private static final Duration CONNECT = Duration.ofSeconds(4);
    /** Longer than alerting itself waits for the broker, reads two topics, or waits for an endpoint that is tested. */
    private static final Duration TIMEOUT = Duration.ofSeconds(75);

    private final List<URI> addresses;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** @param addresses {@code http://host:port}; none: every question is refused */
    public RemoteEndpoints(List<URI> addresses) {
        this.addresses = List.copyOf(addresses);
    }

    @Override
    public List<EndpointView> list() {
        return ask("GET", EndpointRoutes.PATH, null, null, EndpointRoutes.EndpointList.class)
                .endpoints();
    }

    @Override
    public EndpointView show(String name) {
        return ask("GET", one(name, ""), null, null, EndpointView.class);
    }

    @Override
    public EndpointWithSecret create(JsonNode definition, @Nullable String idempotencyKey) {
        return ask("POST", EndpointRoutes.PATH, definition, idempotencyKey, EndpointWithSecret.class);
    }

    @Override
    public EndpointView change(String name, JsonNode changes) {
        return ask("PATCH", one(name, ""), changes, null, EndpointView.class);
    }

    @Override
    public EndpointWithSecret rotateSecret(String name, @Nullable Duration overlap, @Nullable String idempotencyKey) {
        JsonNode body = overlap == null
                ? nothing()
                : Json.mapper().createObjectNode().put("overlap", overlap.toMillis() + "ms");
        return ask("POST", one(name, "/rotate-secret"), body, idempotencyKey, EndpointWithSecret.class);
    }

    @Override
    public EndpointView pause(String name) {
        return ask("POST", one(name, "/pause"), nothing(), null, EndpointView.class);
    }

    @Override
    public EndpointView resume(String name) {
        return ask("POST", one(name, "/resume"), nothing(), null, EndpointView.class);
    }

    @Override
    public void delete(String name) {
        answer("DELETE", one(name, ""), null, null);
    }

    @Override
    public EndpointTest test(String name) {
        return ask("POST", one(name, "/test"), nothing(), null, EndpointTest.class);
    }

    @Override
    public FailedDeliveries failed(@Nullable String endpoint, long fromMs, long toMs, int limit) {
        String query = "?limit=" + limit + "&from=" + encoded(time(Math.max(0, fromMs)))
                + (toMs == Long.MAX_VALUE ? "" : "&to=" + encoded(time(toMs)))
                + (endpoint == null ? "" : "&endpoint=" + encoded(endpoint));
        return ask("GET", EndpointRoutes.FAILED_PATH + query, null, null, FailedDeliveries.class);
    }

    @Override
    public Redelivery redeliver(String name, long fromMs, long toMs, boolean dryRun) {
        ObjectNode body = Json.mapper()
                .createObjectNode()
                .put("from", time(Math.max(0, fromMs)))
                .put("dry_run", dryRun);
        if (toMs != Long.MAX_VALUE) {
            body.put("to", time(toMs));
        }
        return ask("POST", one(name, "/redeliver"), body, null, Redelivery.class);
    }

    private static JsonNode nothing() {
        return Json.mapper().createObjectNode();
    }

    private static String one(String name, String what) {
        return EndpointRoutes.PATH + "/" + encoded(name) + what;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** As an API takes times. */
    private static String time(long ms) {
        return EventTimes.format(ms * 1_000);
    }

    private <T> T ask(
            String method, String path, @Nullable JsonNode body, @Nullable String idempotencyKey, Class<T> type) {
        byte[] answer = answer(method, path, body, idempotencyKey);
        try {
            T read = Json.mapper().readValue(answer, type);
            if (read != null) {
                return read;
            }
        } catch (IOException e) {
            throw unavailable("the answer is not alerting's, or was cut off");
        }
        throw unavailable("the answer is not alerting's");
    }

    private byte[] answer(String method, String path, @Nullable JsonNode body, @Nullable String idempotencyKey) {
        EndpointRefusedException reason = null;
        for (URI address : addresses) {
            HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path))
                    .timeout(TIMEOUT)
                    .header("Content-Type", "application/json")
                    .method(
                            method,
                            body == null
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofByteArray(Json.encode(body)));
            if (idempotencyKey != null) {
                request.header(EndpointRoutes.IDEMPOTENCY_KEY, idempotencyKey);
            }
            try {
                return answer(address, request.build());
            } catch (NotThereException e) {
                reason = unavailable(String.valueOf(e.getMessage()));
            }
        }
        throw reason != null
                ? reason
                : unavailable("no alerting is known here; name its address in dashboard.services");
    }

    /** This one certainly did nothing, so another may be asked. */
    private static final class NotThereException extends IOException {
        private static final long serialVersionUID = 1L;

        NotThereException(String message) {
            super(message);
        }
    }

    private byte[] answer(URI address, HttpRequest request) throws NotThereException {
        try {
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() / 100 == 2) {
                return response.body();
            }
            JsonNode problem = Json.mapper().readTree(response.body());
            Kind kind = EndpointRoutes.kind(problem.path("type").asText());
            String detail = problem.path("detail").asText();
            if (kind == null && response.statusCode() == 404) {
                throw new NotThereException("no alerting runs at " + address);
            }
            if (kind == null) {
                throw unavailable("alerting at " + address + " answers " + response.statusCode());
            }
            if (kind == Kind.UNAVAILABLE) {
                throw new NotThereException(detail);
            }
            throw new EndpointRefusedException(kind, detail);
        } catch (NotThereException e) {
            throw e;
        } catch (HttpConnectTimeoutException | ConnectException e) {
            throw new NotThereException("nothing listens at " + address);
        } catch (HttpTimeoutException e) {
            throw unavailable("alerting at " + address + " did not answer within " + TIMEOUT.toSeconds()
                    + " s; look whether it was done, and ask again");
        } catch (IOException e) {
            throw unavailable("the answer from " + address + " is not alerting's, or was cut off");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("interrupted while waiting for alerting");
        }
    }

    private static EndpointRefusedException unavailable(String message) {
        return new EndpointRefusedException(Kind.UNAVAILABLE, message);
    }
}
