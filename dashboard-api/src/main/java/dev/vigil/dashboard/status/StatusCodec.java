package dev.vigil.dashboard.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Json;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.IntakeStatus;
import dev.vigil.service.status.LakehouseStatus;
import dev.vigil.service.status.ServiceStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads what {@code GET /api/v1/status} of another process answers. */
public final class StatusCodec {
    private StatusCodec() {}

    /** @throws IOException if the body is no such answer */
    public static List<ServiceStatus> decode(byte[] body) throws IOException {
        JsonNode services = Json.mapper().readTree(body).path("services");
        if (!services.isArray()) {
            throw new IOException("expected an object with a list of services");
        }
        List<ServiceStatus> statuses = new ArrayList<>();
        for (JsonNode service : services) {
            statuses.add(decode(service));
        }
        return statuses;
    }

    private static ServiceStatus decode(JsonNode service) throws JsonProcessingException {
        Class<? extends ServiceStatus> type = switch (service.path("service").asText()) {
            case "scoring-engine" -> EngineStatus.class;
            case "cdc-ingest" -> CdcStatus.class;
            case "alerting" -> AlertingStatus.class;
            case "lakehouse-sink" -> LakehouseStatus.class;
            case "dashboard-api" -> IntakeStatus.class;
            default -> UnknownStatus.class;
        };
        // A failed service may tell nothing but its state.
        Class<? extends ServiceStatus> known = service.size() <= 3 ? UnknownStatus.class : type;
        return Json.mapper().treeToValue(service, known);
    }
}
