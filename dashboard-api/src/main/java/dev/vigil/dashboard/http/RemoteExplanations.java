package dev.vigil.dashboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.dashboard.explain.Explanations;
import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.Explanation;
import dev.vigil.event.Json;
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
import org.jspecify.annotations.Nullable;

/** Asks an engine in another process, at the address where it also tells its status. */
public final class RemoteExplanations implements Explanations {
    private static final Duration CONNECT = Duration.ofSeconds(4);
    /** Longer than an engine itself waits for its worker. */
    private static final Duration TIMEOUT = Duration.ofSeconds(25);

    private final URI address;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** @param address {@code http://host:port} */
    public RemoteExplanations(URI address) {
        this.address = address;
    }

    @Override
    public Explanation explain(String account, String eventId, @Nullable String source) {
        String query = "?account=" + encoded(account) + "&id=" + encoded(eventId)
                + (source == null ? "" : "&source=" + encoded(source));
        HttpRequest request = HttpRequest.newBuilder(address.resolve(ExplainRoutes.PATH + query))
                .timeout(TIMEOUT)
                .build();
        try {
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() == 200) {
                return Json.mapper().readValue(response.body(), Explanation.class);
            }
            throw refusal(response);
        } catch (HttpConnectTimeoutException | ConnectException e) {
            throw new CannotExplainException(
                    Kind.UNAVAILABLE, "no scoring engine listens at " + address + ", where dashboard.services has one");
        } catch (HttpTimeoutException e) {
            throw new CannotExplainException(
                    Kind.UNAVAILABLE,
                    "the scoring engine at " + address + " did not answer within " + TIMEOUT.toSeconds()
                            + " s; ask again");
        } catch (IOException e) {
            throw new CannotExplainException(
                    Kind.UNAVAILABLE, "the answer from " + address + " is no scoring engine's, or was cut off");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotExplainException(Kind.UNAVAILABLE, "interrupted while waiting for the engine");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private CannotExplainException refusal(HttpResponse<byte[]> response) throws IOException {
        JsonNode problem = Json.mapper().readTree(response.body());
        Kind kind = ExplainRoutes.kind(problem.path("type").asText());
        if (kind == null) {
            return new CannotExplainException(
                    Kind.UNAVAILABLE, "the scoring engine at " + address + " answers " + response.statusCode());
        }
        return new CannotExplainException(kind, problem.path("detail").asText());
    }
}
