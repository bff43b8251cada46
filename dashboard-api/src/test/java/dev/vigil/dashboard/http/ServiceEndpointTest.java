package dev.vigil.dashboard.http;

import static dev.vigil.dashboard.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.service.ServiceException;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.IntakeStatus;
import dev.vigil.service.status.ServiceState;
import dev.vigil.service.status.ServiceStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class ServiceEndpointTest {
    private final StatusBoard board = new StatusBoard();
    private volatile ServiceState state = ServiceState.RUNNING;

    private ServiceEndpoint start(MeterRegistry meters) {
        return ServiceEndpoint.start(HttpConfig.local(0), "alerting.http", board, () -> 1_000, meters);
    }

    private void addStub(String service) {
        board.add(
                service,
                () -> new IntakeStatus(service, state, state == ServiceState.FAILED ? "broken" : null, 0, 0, 0, null));
    }

    @Test
    void shouldTellHealthAndReadinessByTheStateOfItsServices() {
        addStub("alerting");
        try (ServiceEndpoint endpoint = start(new SimpleMeterRegistry())) {
            ApiClient client = new ApiClient(endpoint.url());
            assertThat(client.get("/health").status()).isEqualTo(200);
            assertThat(client.get("/ready").status()).isEqualTo(200);
            state = ServiceState.STARTING;
            assertThat(client.get("/health").status()).isEqualTo(200);
            assertThat(client.get("/ready").status()).isEqualTo(503);
            state = ServiceState.FAILED;
            assertThat(client.get("/health").status()).isEqualTo(503);
            assertThat(client.get("/health").json().at("/services/0/problem").asText())
                    .isEqualTo("broken");
        }
    }

    @Test
    void shouldTellMetricsOfAPrometheusRegistryInsideAComposite() {
        CompositeMeterRegistry composite = new CompositeMeterRegistry();
        composite.add(new SimpleMeterRegistry());
        composite.add(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        composite.counter("vigil.test").increment();
        try (ServiceEndpoint endpoint = start(composite)) {
            assertThat(new ApiClient(endpoint.url()).get("/metrics").body()).contains("vigil_test_total 1.0");
        }
    }

    @Test
    void shouldAnswer404ForMetricsWithoutAPrometheusRegistry() {
        try (ServiceEndpoint endpoint = start(new SimpleMeterRegistry())) {
            assertThat(new ApiClient(endpoint.url()).get("/metrics").status()).isEqualTo(404);
        }
    }

    @Test
    void shouldSayInOneLineThatThePortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            HttpConfig config = HttpConfig.local(taken.getLocalPort());
            assertThatThrownBy(
                            () -> ServiceEndpoint.start(config, "dashboard", board, () -> 0, new SimpleMeterRegistry()))
                    .isInstanceOf(ServiceException.class)
                    .hasMessage(
                            "cannot listen on 127.0.0.1:" + taken.getLocalPort()
                                    + ": the port is in use by another process; set dashboard.port or dashboard.host to another");
        }
    }

    @Test
    void shouldSayInOneLineThatTheAddressIsNotOfThisMachine() {
        HttpConfig config = new HttpConfig("no-such-host.invalid", 0, List.of());
        assertThatThrownBy(() -> ServiceEndpoint.start(config, "dashboard", board, () -> 0, new SimpleMeterRegistry()))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("no such address on this machine");
    }

    @Test
    void shouldShowTheStatusesOfServicesInOtherProcesses() {
        FakeServices services = new FakeServices(1);
        services.advance(100);
        services.addTo(board, () -> 1_800_000_000_000L);
        try (StatusPoller poller = new StatusPoller();
                ServiceEndpoint endpoint = start(new SimpleMeterRegistry())) {
            Supplier<List<ServiceStatus>> engine = poller.watch("scoring-engine", URI.create(endpoint.url()));
            Supplier<List<ServiceStatus>> missing = poller.watch("no-such-service", URI.create(endpoint.url()));
            Supplier<List<ServiceStatus>> unreachable = poller.watch("alerting", URI.create("http://127.0.0.1:1"));
            poller.start();
            await().until(() -> engine.get().get(0) instanceof EngineStatus status
                    && status.partitions().size() == 4);
            await().until(() -> missing.get().get(0).state() == ServiceState.FAILED);
            await().until(() -> unreachable.get().get(0).state() == ServiceState.FAILED);
            assertThat(unreachable.get().get(0).problem()).isEqualTo("does not answer at http://127.0.0.1:1");
        }
    }
}
