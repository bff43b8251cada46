package dev.vigil.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Alert;
import dev.vigil.event.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class AlertMessageTest {
    @Test
    void shouldBeACloudEventWithTheAlertAsItStood() throws IOException {
        String json = new String(TestAlerts.at(1).json(), StandardCharsets.UTF_8)
                .replaceFirst("\\{", "{\"added_later\":1.10,");

        AlertMessage message = AlertMessage.of(
                TestAlerts.at(1).alert(),
                new StoredAlert(json.getBytes(StandardCharsets.UTF_8), "ca5e", true),
                3,
                false);

        JsonNode event = Json.mapper().readTree(message.body());
        assertThat(event.get("specversion").asText()).isEqualTo("1.0");
        assertThat(event.get("id").asText()).isEqualTo(TestAlerts.at(1).id()).isEqualTo(message.alertId());
        assertThat(event.get("source").asText()).isEqualTo("/vigil/alerts");
        assertThat(event.get("type").asText()).isEqualTo("dev.vigil.alert");
        assertThat(event.get("subject").asText()).isEqualTo("acc-1");
        assertThat(event.get("time").asText()).isEqualTo("2026-03-01T12:00:00Z");
        assertThat(event.get("datacontenttype").asText()).isEqualTo("application/json");
        assertThat(new String(message.body(), StandardCharsets.UTF_8)).endsWith("\"data\":" + json + "}");
        assertThat(message.attempt()).isEqualTo(3);
    }

    @Test
    void shouldLeaveValuesOutOfAnAlertThatReceiversWouldRefuseForItsSize() throws IOException {
        Alert plain = TestAlerts.at(1).alert();
        Alert large = Json.decode(
                new String(Json.encode(plain), StandardCharsets.UTF_8)
                        .replace("1250", "\"" + "x".repeat(AlertMessage.MAX_BODY_BYTES) + "\"")
                        .getBytes(StandardCharsets.UTF_8),
                Alert.class);

        AlertMessage message = AlertMessage.of(large, new StoredAlert(Json.encode(large), null, false), 1, false);

        JsonNode event = Json.mapper().readTree(message.body());
        assertThat(message.body().length).isLessThan(AlertMessage.MAX_BODY_BYTES);
        assertThat(event.get("vigiltruncated").asBoolean()).isTrue();
        assertThat(event.get("data").get("fields")).isEmpty();
        assertThat(event.get("data").get("rules").get(0).get("rule").asText()).isEqualTo("velocity");
        assertThat(event.get("data").get("alert_id").asText()).isEqualTo(plain.alertId());
    }
}
