package dev.vigil.dashboard.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.event.Json;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.ServiceState;
import dev.vigil.service.status.ServiceStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StatusBoardTest {
    private static final ServiceStatus ALERTING = new AlertingStatus(
            "alerting",
            ServiceState.RUNNING,
            null,
            6,
            1,
            0,
            0,
            0,
            1,
            4,
            0,
            0,
            0,
            new LatencyStatus(4, 1, 2, 3, 4),
            LatencyStatus.NONE,
            false,
            List.of(new AlertingStatus.EndpointStatus("ops", "enabled", 4, 0, 0, null)));

    @Test
    void shouldShowAServiceThatCannotTellItsStatusAsFailedBesideTheOthers() {
        StatusBoard board = new StatusBoard();
        board.add("scoring-engine", () -> {
            throw new IllegalStateException("details for the log");
        });
        board.add("alerting", () -> ALERTING);
        board.addRemote(() -> List.of(new UnknownStatus("cdc-ingest", ServiceState.FAILED, "does not answer")));
        assertThat(board.local())
                .extracting(ServiceStatus::state)
                .containsExactly(ServiceState.FAILED, ServiceState.RUNNING);
        assertThat(board.all()).hasSize(3);
        assertThat(board.all().get(0).problem()).isEqualTo("cannot tell its status");
    }

    @Test
    void shouldReadWhatAnotherProcessTells() throws IOException {
        byte[] body = Json.encode(Map.of(
                "at_ms",
                1,
                "services",
                List.of(ALERTING, new UnknownStatus("scoring-engine", ServiceState.FAILED, "no"))));
        assertThat(StatusCodec.decode(body))
                .containsExactly(ALERTING, new UnknownStatus("scoring-engine", ServiceState.FAILED, "no"));
    }

    @Test
    void shouldReadServicesThatItDoesNotKnow() throws IOException {
        byte[] body = "{\"services\":[{\"service\":\"newer\",\"state\":\"RUNNING\",\"a\":1,\"b\":2}]}"
                .getBytes(StandardCharsets.UTF_8);
        assertThat(StatusCodec.decode(body)).containsExactly(new UnknownStatus("newer", ServiceState.RUNNING, null));
    }

    @Test
    void shouldRefuseWhatIsNoStatus() {
        assertThatThrownBy(() -> StatusCodec.decode("{}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> StatusCodec.decode("<html>".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }
}
