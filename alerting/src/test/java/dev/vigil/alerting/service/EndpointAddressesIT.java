package dev.vigil.alerting.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.ApiEndpointsConfig;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where endpoints made by the API may lie, with a real broker and real sockets. */
final class EndpointAddressesIT extends EndpointsRig {
    /** Field case D01, at registration; at each send it is {@code HttpTransportTest}'s. */
    @Test
    void shouldRefuseAddressesThatAreNotPublic() {
        Alerting strict = started(new AlertingConfig(
                List.of(),
                QUICK,
                AlertingConfig.TAKE_OVER_AFTER,
                false,
                new ApiEndpointsConfig(List.of(KEY), Set.of("elsewhere.example"), Map.of())));
        for (String url : List.of(
                "http://127.0.0.1:8080/",
                "http://169.254.169.254/latest/meta-data/",
                "http://10.0.0.1/",
                "http://172.16.0.1/",
                "http://192.168.0.1/",
                "http://100.64.0.1/",
                "http://0.0.0.0/",
                "http://[::1]/",
                "http://[::ffff:169.254.169.254]/",
                "http://[fd00:ec2::254]/",
                "http://[64:ff9b::a9fe:a9fe]/",
                "http://[2002:a9fe:a9fe::]/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0177.0.0.1/",
                "http://localhost:1/",
                "file:///etc/passwd",
                "http://u:p@127.0.0.1/")) {
            ObjectNode definition =
                    Json.mapper().createObjectNode().put("name", "desk").put("url", url);
            assertThatThrownBy(() -> strict.endpoints().create(definition, null))
                    .as(url)
                    .isInstanceOfSatisfying(
                            EndpointRefusedException.class,
                            refusal -> assertThat(refusal.kind()).isEqualTo(Kind.INVALID))
                    .hasMessageStartingWith("url: ")
                    .hasMessageNotContaining("passwd")
                    .hasMessageNotContaining("u:p");
        }
        closeNow(strict);
        Alerting alerting = made();
        refuses(
                Kind.INVALID,
                "url: the address 10.0.0.1 is not public",
                () -> alerting.endpoints()
                        .change("desk", Json.mapper().createObjectNode().put("url", "http://10.0.0.1/")));
        assertThat(alerting.endpoints().list()).hasSize(1);
    }

    @Test
    void shouldLetAlertsWaitForAnEndpointWhoseHostIsNoLongerAllowed() throws Exception {
        closeNow(made());
        Alerting stricter = started(new AlertingConfig(
                List.of(),
                QUICK,
                AlertingConfig.TAKE_OVER_AFTER,
                false,
                new ApiEndpointsConfig(List.of(KEY), Set.of(), Map.of())));
        topic.put(TestAlerts.at(1));
        eventually(() -> stricter.status().pending() == 1);
        assertThat(stricter.endpoints().list()).singleElement().satisfies(view -> {
            assertThat(view.state()).isEqualTo("paused");
            assertThat(view.problem()).contains("127.0.0.1 is not public");
        });
        assertThat(receiver.messages()).isEmpty();
    }
}
