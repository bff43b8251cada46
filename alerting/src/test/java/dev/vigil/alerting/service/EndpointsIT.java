package dev.vigil.alerting.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.event.endpoint.EndpointTest;
import dev.vigil.event.endpoint.EndpointView;
import dev.vigil.event.endpoint.EndpointWithSecret;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Endpoints that are made, changed and taken away while the service runs, with a real broker and real sockets. */
final class EndpointsIT extends EndpointsRig {
    @Test
    void shouldSendToAnEndpointFromTheMomentItIsMadeAndAfterARestart() throws Exception {
        Alerting alerting = start();
        topic.put(TestAlerts.at(1));
        eventually(() -> alerting.status().unrouted() == 1);

        EndpointWithSecret made = alerting.endpoints().create(hook("desk"), null);
        topic.put(TestAlerts.at(2));
        eventually(() -> receiver.messages().size() == 1);
        assertThat(receiver.messages().get(0).isSignedBy(secret(made))).isTrue();
        assertThat(made.endpoint().origin()).isEqualTo(EndpointView.Origin.API);
        assertThat(made.endpoint().url()).isEqualTo(receiver.url().replace("/hook", "/…"));
        eventually(() -> alerting.endpoints().list().get(0).delivered() == 1);

        alerting.close();
        Alerting again = start();
        topic.put(TestAlerts.at(3));
        eventually(() -> receiver.messages().size() == 2);
        assertThat(receiver.messages().get(1).isSignedBy(secret(made))).isTrue();
        assertThat(again.endpoints().list()).extracting(EndpointView::name).containsExactly("desk");
    }

    @Test
    void shouldChangeWhereAndWhatWithoutARestart() throws Exception {
        Alerting alerting = start();
        alerting.endpoints().create(hook("desk").put("max_in_flight", 3), null);
        CapturingReceiver other = opened(new CapturingReceiver());

        EndpointView changed = alerting.endpoints()
                .change(
                        "desk",
                        Json.mapper()
                                .createObjectNode()
                                .put("url", other.url())
                                .put("min_score", 86)
                                .putNull("max_in_flight"));
        topic.put(TestAlerts.at(1));
        eventually(() -> alerting.status().unrouted() == 1);
        assertThat(changed.minScore()).isEqualTo(86);
        assertThat(changed.maxInFlight()).isEqualTo(16);

        alerting.endpoints().change("desk", Json.mapper().createObjectNode().putNull("min_score"));
        topic.put(TestAlerts.at(2));
        eventually(() -> other.messages().size() == 1);
        assertThat(receiver.messages()).isEmpty();
    }

    @Test
    void shouldKeepAlertsWhilePausedAlsoAcrossARestart() throws Exception {
        Alerting alerting = start();
        alerting.endpoints().create(hook("desk"), null);
        assertThat(alerting.endpoints().pause("desk").state()).isEqualTo("paused");
        topic.put(TestAlerts.at(1), TestAlerts.at(2));
        eventually(() -> alerting.status().pending() == 2);
        alerting.close();

        Alerting again = start();
        topic.put(TestAlerts.at(3));
        eventually(() -> again.status().pending() == 3);
        assertThat(receiver.messages()).isEmpty();
        again.endpoints().resume("desk");
        eventually(() -> again.status().delivered() == 3);
        assertThat(receiver.messages()).hasSize(3);
    }

    @Test
    void shouldGiveUpWhatWaitsForADeletedEndpointWithReports() throws Exception {
        Alerting alerting = start();
        receiver.answer(503);
        alerting.endpoints().create(hook("desk"), null);
        topic.put(IntStream.range(0, 500).mapToObj(TestAlerts::at).toArray(TestAlerts[]::new));
        eventually(() ->
                alerting.status().failedAttempts() > 0 && alerting.status().alerts() == 500);

        alerting.endpoints().delete("desk");

        eventually(() -> alerting.status().pending() == 0 && alerting.status().givenUp() == 500);
        eventually(() -> topic.deliveries().stream()
                        .filter(report -> report.outcome() == Delivery.Outcome.GIVEN_UP)
                        .map(Delivery::alertId)
                        .distinct()
                        .count()
                == 500);
        assertThat(topic.deliveries()).anyMatch(report -> "not sent: the endpoint was deleted".equals(report.detail()));
        assertThat(alerting.endpoints().list()).isEmpty();
        int sentBefore = receiver.messages().size();
        topic.put(TestAlerts.at(1_000));
        eventually(() -> alerting.status().unrouted() == 1);
        assertThat(receiver.messages()).hasSize(sentBefore);
        receiver.answer(204);
        alerting.endpoints().create(hook("desk"), null);
        topic.put(TestAlerts.at(1_001));
        eventually(() -> receiver.accepted().size() == 1);
    }

    @Test
    void shouldTestAnEndpointAndCountItNowhere() throws Exception {
        EndpointConfig configured =
                EndpointConfig.ofPrivate("audit", receiver.url(), new WebhookSecret("whsec_" + "A".repeat(32)));
        Alerting alerting = start(configured);
        String secret = secret(alerting.endpoints().create(hook("desk"), null));
        alerting.endpoints().pause("desk");

        EndpointTest taken = alerting.endpoints().test("desk");
        assertThat(taken.accepted()).isTrue();
        assertThat(taken.statusCode()).isEqualTo(204);
        CapturingReceiver.Message message = receiver.messages().get(0);
        assertThat(message.id()).isEqualTo(taken.messageId());
        assertThat(message.isSignedBy(secret)).isTrue();
        assertThat(Json.decodeObject(message.body())).containsEntry("type", "dev.vigil.test");

        receiver.answer(500);
        EndpointTest refused = alerting.endpoints().test("audit");
        assertThat(refused.accepted()).isFalse();
        assertThat(refused.problem()).isEqualTo("expected a 2xx answer, found 500");
        receiver.close();
        assertThat(alerting.endpoints().test("audit").problem()).startsWith("no connection");
        assertThat(alerting.status().alerts()).isZero();
        assertThat(alerting.status().failedAttempts()).isZero();
        assertThat(topic.deliveries()).isEmpty();
        refuses(
                Kind.UNKNOWN,
                "there is no endpoint nobody",
                () -> alerting.endpoints().test("nobody"));
    }

    @Test
    void shouldLeaveEndpointsOfTheConfigurationAlone() {
        EndpointConfig configured =
                EndpointConfig.ofPrivate("audit", receiver.url(), new WebhookSecret("whsec_" + "A".repeat(32)));
        Alerting alerting = start(configured);
        String words = "endpoint audit is in the configuration";
        refuses(Kind.CONFLICT, words, () -> alerting.endpoints().pause("audit"));
        refuses(Kind.CONFLICT, words, () -> alerting.endpoints().delete("audit"));
        refuses(Kind.CONFLICT, words, () -> alerting.endpoints().rotateSecret("audit", null, null));
        refuses(
                Kind.CONFLICT,
                words,
                () -> alerting.endpoints().change("audit", Json.mapper().createObjectNode()));
        refuses(Kind.CONFLICT, words, () -> alerting.endpoints().create(hook("audit"), null));
        assertThat(alerting.endpoints().list())
                .singleElement()
                .extracting(EndpointView::origin)
                .isEqualTo(EndpointView.Origin.CONFIG);
    }
}
