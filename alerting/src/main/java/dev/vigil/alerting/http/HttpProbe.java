package dev.vigil.alerting.http;

import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Answer;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.endpoints.EndpointAdmin;
import dev.vigil.service.EpochClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.Dns;

/** Tests endpoints as {@link HttpTransport} sends to them, over connections of their own. Safe for any thread. */
public final class HttpProbe implements EndpointAdmin.Probe {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final EpochClock clock;

    public HttpProbe(EpochClock clock) {
        this.clock = clock;
    }

    @Override
    public Answer send(EndpointConfig endpoint, AlertMessage message) {
        EndpointConfig bounded = endpoint.timeout().compareTo(LONGEST) > 0 ? endpoint.withTimeout(LONGEST) : endpoint;
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        long boundMs = bounded.timeout().toMillis();
        try (EndpointClient client = new EndpointClient(bounded, clock, Dns.SYSTEM)) {
            client.send(message, answer::complete);
            // The client keeps to the time-out itself; the look-up of a name may take longer.
            return answer.get(boundMs + 1_000, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Answer.failure("no answer within the time-out", boundMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.failure("interrupted", 0);
        } catch (ExecutionException e) {
            throw new IllegalStateException("nobody completes it so", e);
        }
    }

    @Override
    public void requireUsable(EndpointConfig endpoint) {
        new EndpointClient(endpoint, clock, Dns.SYSTEM).close();
    }
}
