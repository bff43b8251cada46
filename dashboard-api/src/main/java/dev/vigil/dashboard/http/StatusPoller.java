package dev.vigil.dashboard.http;

import dev.vigil.dashboard.status.StatusCodec;
import dev.vigil.dashboard.status.UnknownStatus;
import dev.vigil.service.status.ServiceState;
import dev.vigil.service.status.ServiceStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Asks services in other processes for their status, each about once a second and independently of the others; what does
 * not answer shows as failed, with why.
 */
public final class StatusPoller implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final long INTERVAL_MS = 1_000;

    private final ExecutorService answers = Executors.newSingleThreadExecutor(named("dashboard-status-answers"));
    private final ScheduledExecutorService schedule =
            Executors.newSingleThreadScheduledExecutor(named("dashboard-status-poller"));
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .executor(answers)
            .build();
    private final List<Target> targets = new ArrayList<>();

    private static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** A service at {@code http://host:port}; not after {@link #start}. */
    public Supplier<List<ServiceStatus>> watch(String service, URI address) {
        Target target = new Target(service, address);
        targets.add(target);
        return target::last;
    }

    public void start() {
        for (Target target : targets) {
            var unused = schedule.scheduleWithFixedDelay(target::ask, 0, INTERVAL_MS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        schedule.shutdownNow();
        answers.shutdownNow();
    }

    private final class Target {
        private final String service;
        private final URI address;
        private final HttpRequest request;
        private final AtomicBoolean asking = new AtomicBoolean();
        private volatile List<ServiceStatus> statuses;

        Target(String service, URI address) {
            this.service = service;
            this.address = address;
            this.request = HttpRequest.newBuilder(address.resolve("/api/v1/status"))
                    .timeout(TIMEOUT)
                    .build();
            this.statuses = List.of(new UnknownStatus(service, ServiceState.NEW, "not asked yet"));
        }

        List<ServiceStatus> last() {
            return statuses;
        }

        void ask() {
            if (!asking.compareAndSet(false, true)) {
                return;
            }
            var unused = client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                    .whenComplete((response, failure) -> {
                        statuses = failure == null ? read(response) : failed("does not answer at " + address);
                        asking.set(false);
                    });
        }

        private List<ServiceStatus> read(HttpResponse<byte[]> response) {
            if (response.statusCode() != 200) {
                return failed("answers " + response.statusCode() + " at " + address);
            }
            try {
                List<ServiceStatus> told = StatusCodec.decode(response.body()).stream()
                        .filter(status -> status.service().equals(service))
                        .toList();
                return told.isEmpty() ? failed("does not run at " + address) : told;
            } catch (IOException | RuntimeException e) {
                return failed("answers something else than a status at " + address);
            }
        }

        private List<ServiceStatus> failed(String problem) {
            return List.of(new UnknownStatus(service, ServiceState.FAILED, problem));
        }
    }
}
