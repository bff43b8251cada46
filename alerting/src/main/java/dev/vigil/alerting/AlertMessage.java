package dev.vigil.alerting;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.vigil.event.Alert;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.RuleHit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * One attempt to tell a receiver of an alert.
 *
 * @param attempt 1 for the first
 * @param redelivery whether somebody asked for it once more after it was given up
 * @param body as a CloudEvent, the same for every attempt at an alert
 */
public record AlertMessage(Alert alert, int attempt, boolean redelivery, byte[] body) {
    static final String TYPE = "dev.vigil.alert";
    /** Of a message that somebody asked for to see whether an endpoint takes it. */
    public static final String TEST_TYPE = "dev.vigil.test";

    static final String SOURCE = "/vigil/alerts";
    /** Extension attribute: fields and rule values were left out, because the body would have been too large. */
    static final String TRUNCATED = "vigiltruncated";
    /** Extension attribute: id of the case that the alert belongs to. */
    static final String CASE = "vigilcase";
    /** Extension attribute: the alert is sent although its group cools down, since it is worse than what was sent. */
    static final String ESCALATION = "vigilescalation";
    /** Receivers are advised to accept 20 kB. */
    static final int MAX_BODY_BYTES = 20_000;

    /** @param stored whose JSON goes into the body as it is, so a newer engine's fields stay */
    static AlertMessage of(Alert alert, StoredAlert stored, int attempt, boolean redelivery) {
        byte[] body = cloudEvent(TYPE, alert, stored, stored.json(), false);
        if (body.length > MAX_BODY_BYTES) {
            body = cloudEvent(TYPE, alert, stored, Json.encode(withoutValues(alert)), true);
        }
        return new AlertMessage(alert, attempt, redelivery, body);
    }

    /** @param made up, in the form of an alert, as channels show nothing else */
    public static AlertMessage test(Alert made) {
        StoredAlert caseless = new StoredAlert(Json.encode(made), null, false);
        return new AlertMessage(made, 1, false, cloudEvent(TEST_TYPE, made, caseless, caseless.json(), false));
    }

    public String alertId() {
        return alert.alertId();
    }

    /** A CloudEvent in structured mode. */
    private static byte[] cloudEvent(String type, Alert alert, StoredAlert stored, byte[] data, boolean truncated) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(data.length + 256);
        try (JsonGenerator json = Json.mapper().createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("specversion", "1.0");
            json.writeStringField("id", alert.alertId());
            json.writeStringField("source", SOURCE);
            json.writeStringField("type", type);
            json.writeStringField("subject", alert.account());
            json.writeStringField("time", EventTimes.format(alert.eventTimeUs()));
            json.writeStringField("datacontenttype", "application/json");
            if (stored.caseId() != null) {
                json.writeStringField(CASE, stored.caseId());
            }
            if (stored.escalation()) {
                json.writeBooleanField(ESCALATION, true);
            }
            if (truncated) {
                json.writeBooleanField(TRUNCATED, true);
            }
            json.writeFieldName("data");
            json.writeRawValue(new String(data, StandardCharsets.UTF_8));
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static Alert withoutValues(Alert alert) {
        List<RuleHit> rules = alert.rules().stream()
                .map(hit -> new RuleHit(hit.rule(), hit.score(), hit.reason(), Map.of()))
                .toList();
        return new Alert(
                alert.alertId(),
                alert.eventId(),
                alert.source(),
                alert.type(),
                alert.account(),
                alert.eventTimeUs(),
                alert.ingestTimeMs(),
                alert.position(),
                alert.policy(),
                alert.policyVersion(),
                alert.currency(),
                alert.score(),
                alert.decision(),
                alert.groupBy(),
                alert.cooldownMs(),
                Map.of(),
                rules);
    }
}
