package dev.vigil.launcher;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import dev.vigil.dashboard.http.HttpConfig;
import dev.vigil.event.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The services that run with a configuration, asked by HTTP: the dashboard's port where it answers, else that of a service
 * that runs alone. Both tell statuses and explain events.
 */
final class RunningVigil {
    private static final Duration CONNECT = Duration.ofSeconds(4);
    /** Whoever listens is there; longer than an engine takes that has much to do. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "[::]");

    /** Amounts keep their digits. */
    private static final ObjectReader JSON =
            Json.mapper().reader().without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);

    /** What was answered, and by whom. */
    record Answer(URI address, int status, JsonNode body) {}

    /**
     * The first answer, or why there is none.
     *
     * @param problems by address asked, in one clause each
     * @param isBusy whether there is none because somebody who is there took too long
     */
    record Reply(Optional<Answer> answer, List<String> problems, boolean isBusy) {
        /** Why there is none, and what to do; for people. */
        String why() {
            return String.join(", ", problems)
                    + (isBusy ? "; if the machine is busy, ask again" : "; is Vigil running?");
        }
    }

    private final List<URI> addresses;
    private final Duration timeout;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private RunningVigil(List<URI> addresses, Duration timeout) {
        this.addresses = addresses;
        this.timeout = timeout;
    }

    /** @param url to ask there alone; null: the ports that the configuration names */
    static RunningVigil of(VigilConfig config, @Nullable URI url) {
        return of(config, url, TIMEOUT);
    }

    /** @param timeout how long to wait for an answer where a connection stands */
    static RunningVigil of(VigilConfig config, @Nullable URI url, Duration timeout) {
        return new RunningVigil(addresses(config, url), timeout);
    }

    /** Where to ask, one after the other. */
    static List<URI> addresses(VigilConfig config, @Nullable URI url) {
        return url != null
                ? List.of(url)
                : Stream.of(config.dashboard().http(), config.endpoint())
                        .filter(http -> http.port() != 0) // any free one: unknown here
                        .map(RunningVigil::address)
                        .toList();
    }

    private static URI address(HttpConfig config) {
        String host = EVERY_ADDRESS.contains(config.host()) ? HttpConfig.DEFAULT_HOST : config.host();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + config.port());
    }

    /** Asks one after the other until one answers in JSON. */
    Reply get(String pathAndQuery) {
        List<String> problems = new ArrayList<>();
        boolean isBusy = false;
        for (URI address : addresses) {
            try {
                return new Reply(
                        Optional.of(ask(address, request(address, pathAndQuery).build())), List.of(), false);
            } catch (IOException e) {
                problems.add(problem(address, e));
                isBusy |= isBusy(e);
            }
        }
        return new Reply(Optional.empty(), problems, isBusy);
    }

    /**
     * Sends a JSON document to the first of the addresses: the dashboard, which alone takes what people do.
     *
     * @param headers names and values, one after the other
     */
    Reply post(String path, byte[] body, String... headers) {
        if (addresses.isEmpty()) {
            return new Reply(Optional.empty(), List.of("the dashboard's port is not known here"), false);
        }
        URI address = addresses.get(0);
        HttpRequest.Builder request = request(address, path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        try {
            return new Reply(Optional.of(ask(address, request.headers(headers).build())), List.of(), false);
        } catch (IOException e) {
            return new Reply(Optional.empty(), List.of(problem(address, e)), isBusy(e));
        }
    }

    private static boolean isBusy(IOException e) {
        return e instanceof HttpTimeoutException && !(e instanceof HttpConnectTimeoutException);
    }

    private String problem(URI address, IOException e) {
        if (e instanceof HttpConnectTimeoutException) {
            return "no connection to " + address + " within " + CONNECT.toSeconds() + " s";
        }
        if (e instanceof HttpTimeoutException) {
            return "no answer within " + timeout.toSeconds() + " s from " + address + ", where something listens";
        }
        if (e instanceof ConnectException) {
            return "nothing listens at " + address;
        }
        return "no answer that is Vigil's from " + address;
    }

    private HttpRequest.Builder request(URI address, String pathAndQuery) {
        return HttpRequest.newBuilder(address.resolve(pathAndQuery)).timeout(timeout);
    }

    private Answer ask(URI address, HttpRequest request) throws IOException {
        try {
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(address, response.statusCode(), JSON.readTree(response.body()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted while waiting for " + address);
        }
    }
}
