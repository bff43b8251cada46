package dev.vigil.alerting.http;

import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Answer;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.Transport;
import dev.vigil.service.EpochClock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import okhttp3.Dns;

/**
 * Messages over HTTP/1.1 and HTTP/2, each a POST in the form of the endpoint's {@link dev.vigil.alerting.Channel}. Every endpoint has a client of its own: connections, threads
 * ({@code webhook-<endpoint>}), time-outs. Redirects are not followed, proxies and cookies not used. Of an answer only
 * status and {@code Retry-After} are read; its body is dropped unread, so its size does not matter.
 */
public final class HttpTransport implements Transport {
    private final Map<String, EndpointClient> clients = new ConcurrentHashMap<>();
    private final EpochClock clock;
    private final Dns dns;

    public HttpTransport(List<EndpointConfig> endpoints, EpochClock clock) {
        this(endpoints, clock, Dns.SYSTEM);
    }

    HttpTransport(List<EndpointConfig> endpoints, EpochClock clock, Dns dns) {
        this.clock = clock;
        this.dns = dns;
        for (EndpointConfig endpoint : endpoints) {
            clients.put(endpoint.name(), new EndpointClient(endpoint, clock, dns));
        }
    }

    @Override
    public void use(EndpointConfig endpoint) {
        EndpointClient current = clients.get(endpoint.name());
        if (current != null && current.endpoint().equals(endpoint)) {
            return;
        }
        clients.put(endpoint.name(), new EndpointClient(endpoint, clock, dns));
        if (current != null) {
            current.retire();
        }
    }

    @Override
    public void forget(String endpoint) {
        EndpointClient current = clients.remove(endpoint);
        if (current != null) {
            current.retire();
        }
    }

    @Override
    public void send(String endpoint, AlertMessage message, Consumer<Answer> whenDone) {
        EndpointClient client = clients.get(endpoint);
        if (client == null) {
            throw new IllegalArgumentException("no endpoint has the name " + endpoint);
        }
        client.send(message, whenDone);
    }

    @Override
    public void close() {
        clients.values().forEach(EndpointClient::close);
    }
}
