package dev.vigil.launcher;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import dev.vigil.dashboard.http.HttpConfig;
import dev.vigil.event.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The services that run with a configuration, asked by HTTP: the dashboard's port where it answers, else that of a service
 * that runs alone. Both tell statuses and explain events.
 */
final class RunningVigil {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "[::]");

    /** Amounts keep their digits. */
    private static final ObjectReader JSON =
            Json.mapper().reader().without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);

    /** What was answered, and by whom. */
    record Answer(URI address, int status, JsonNode body) {}

    private final List<URI> addresses;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private RunningVigil(List<URI> addresses) {
        this.addresses = addresses;
    }

    /** @param url to ask there alone; null: the ports that the configuration names */
    static RunningVigil of(VigilConfig config, @Nullable URI url) {
        return new RunningVigil(
                url != null
                        ? List.of(url)
                        : Stream.of(config.dashboard().http(), config.endpoint())
                                .filter(http -> http.port() != 0) // any free one: unknown here
                                .map(RunningVigil::address)
                                .toList());
    }

    private static URI address(HttpConfig config) {
        String host = EVERY_ADDRESS.contains(config.host()) ? HttpConfig.DEFAULT_HOST : config.host();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + config.port());
    }

    /** Where it asks, for complaints. */
    String where() {
        return addresses.stream().map(URI::toString).collect(Collectors.joining(" nor "));
    }

    /** The answer of the first that gives one in JSON; empty if none does. */
    Optional<Answer> get(String pathAndQuery) {
        return addresses.stream()
                .flatMap(address -> get(address, pathAndQuery).stream())
                .findFirst();
    }

    private Optional<Answer> get(URI address, String pathAndQuery) {
        HttpRequest request = HttpRequest.newBuilder(address.resolve(pathAndQuery))
                .timeout(TIMEOUT)
                .build();
        try {
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return Optional.of(new Answer(address, response.statusCode(), JSON.readTree(response.body())));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted while waiting for " + address);
        }
    }
}
