package dev.vigil.alerting.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.EndpointKey;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.event.endpoint.EndpointWithSecret;
import dev.vigil.service.ServiceException;
import io.micrometer.core.instrument.Meter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Secrets of endpoints made by the API: made, replaced, stored and never shown again; with a real broker and real sockets. */
final class EndpointSecretsIT extends EndpointsRig {
    /** Field case D12. */
    @Test
    void shouldSignWithBothSecretsDuringTheOverlapAndWithTheNewOneAfterwards() throws Exception {
        Alerting alerting = start();
        String before = secret(alerting.endpoints().create(hook("desk"), null));
        receiver.answer(503);
        topic.put(IntStream.range(0, 1_000).mapToObj(TestAlerts::at).toArray(TestAlerts[]::new));
        eventually(
                () -> alerting.status().alerts() == 1_000 && receiver.messages().size() > 5);

        EndpointWithSecret rotated = alerting.endpoints().rotateSecret("desk", null, null);
        String after = secret(rotated);
        // Attempts that began before the change were signed before it.
        int begun = receiver.messages().size() + 16;
        receiver.answer(204);
        eventually(() -> alerting.status().delivered() == 1_000);

        assertThat(rotated.endpoint().formerSecretsUntilMs()).hasSize(1);
        assertThat(receiver.accepted()).allMatch(message -> message.isSignedBy(before));
        assertThat(receiver.messages().stream().skip(begun))
                .hasSizeGreaterThan(900)
                .allMatch(message -> message.isSignedBy(after));
        assertThat(receiver.accepted().stream()
                        .map(CapturingReceiver.Message::id)
                        .collect(Collectors.toSet()))
                .hasSize(1_000);

        aheadMs.set(Duration.ofHours(25).toMillis());
        topic.put(TestAlerts.at(2_000));
        eventually(() -> alerting.status().delivered() == 1_001);
        CapturingReceiver.Message last =
                receiver.accepted().get(receiver.accepted().size() - 1);
        assertThat(last.isSignedBy(after)).isTrue();
        assertThat(last.isSignedBy(before)).isFalse();
        assertThat(last.signatures()).doesNotContain(" ");
        assertThat(alerting.endpoints().list().get(0).formerSecretsUntilMs()).isEmpty();
    }

    @Test
    void shouldAnswerARepeatedRequestAsTheFirst() throws Exception {
        Alerting alerting = start();
        EndpointWithSecret first = alerting.endpoints().create(hook("desk"), "request-1");
        assertThat(secret(alerting.endpoints().create(hook("desk"), "request-1")))
                .isEqualTo(secret(first));
        refuses(
                Kind.CONFLICT,
                "this idempotency key came before with another definition",
                () -> alerting.endpoints().create(hook("desk").put("min_score", 1), "request-1"));
        refuses(
                Kind.CONFLICT,
                "there is an endpoint desk",
                () -> alerting.endpoints().create(hook("desk"), "request-2"));

        EndpointWithSecret rotated = alerting.endpoints().rotateSecret("desk", Duration.ofHours(1), "rotation-1");
        assertThat(secret(rotated)).isNotEqualTo(secret(first));
        assertThat(secret(alerting.endpoints().rotateSecret("desk", Duration.ofHours(1), "rotation-1")))
                .isEqualTo(secret(rotated));
        assertThat(alerting.endpoints().list().get(0).formerSecretsUntilMs()).hasSize(1);
        assertThat(secret(alerting.endpoints().rotateSecret("desk", Duration.ZERO, "rotation-2")))
                .isNotEqualTo(secret(rotated));
        assertThat(alerting.endpoints().list().get(0).formerSecretsUntilMs()).hasSize(1);
    }

    /** Field case D13. */
    @Test
    void shouldShowNoSecretAnywhere() throws Exception {
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Logger ours = (Logger) LoggerFactory.getLogger("dev.vigil");
        Level level = ours.getLevel();
        ours.setLevel(Level.TRACE);
        root.addAppender(appender);
        Set<String> secrets;
        String shown;
        try {
            Alerting alerting = start();
            ObjectNode definition = hook("desk").put("url", receiver.url() + "/path-token?token=query-token");
            String first = secret(alerting.endpoints().create(definition, "idempotent-token"));
            String second = secret(alerting.endpoints().rotateSecret("desk", null, null));
            alerting.endpoints()
                    .create(
                            Json.mapper()
                                    .createObjectNode()
                                    .put("name", "pager")
                                    .put("channel", "pagerduty")
                                    .put("url", receiver.url())
                                    .put("routing_key", "0123456789abcdefABCDEF0123456789"),
                            null);
            refuses(
                    Kind.INVALID,
                    "url: expected a URL without user info",
                    () -> alerting.endpoints()
                            .create(hook("bad").put("url", "https://user:pw-token@h/p?token=query-token"), null));
            secrets = Set.of(
                    first,
                    second,
                    first.substring(6),
                    second.substring(6),
                    "path-token",
                    "query-token",
                    "pw-token",
                    "idempotent-token",
                    "0123456789abcdefABCDEF0123456789");
            receiver.answer(500);
            topic.put(TestAlerts.at(1));
            alerting.endpoints().test("desk");
            eventually(() -> alerting.status().failedAttempts() > 2);
            receiver.close();
            eventually(() -> alerting.endpoints().list().stream()
                    .anyMatch(view -> String.valueOf(view.problem()).startsWith("no connection")));
            alerting.endpoints().test("desk");
            shown = alerting.status()
                    + new String(Json.encode(alerting.status()), UTF_8)
                    + new String(Json.encode(alerting.endpoints().list()), UTF_8)
                    + alerting.endpoints().list()
                    + topic.deliveries()
                    + meters.getMeters().stream().map(Meter::getId).toList();
            alerting.close();
        } finally {
            root.detachAppender(appender);
            ours.setLevel(level);
        }
        String logged = List.copyOf(appender.list).stream()
                .map(event -> event.getFormattedMessage() + event.getThrowableProxy())
                .collect(Collectors.joining("\n"));
        String stored = register();
        assertThat(stored).contains("\"name\":\"desk\"");
        assertThat(logged).contains("endpoint desk: attempt 1");
        for (String secret : secrets) {
            assertThat(shown).doesNotContain(secret);
            assertThat(logged).doesNotContain(secret);
            assertThat(stored).doesNotContain(secret);
        }
    }

    @Test
    void shouldMakeNoEndpointWithoutAKeyAndNotStartWithoutTheKeyOfOneThatIsThere() {
        Alerting alerting = started(new AlertingConfig(List.of(), QUICK, AlertingConfig.TAKE_OVER_AFTER, false));
        refuses(
                Kind.CONFLICT,
                "the configuration needs alerting.endpoint-keys",
                () -> alerting.endpoints().create(hook("desk"), null));
        closeNow(alerting);
        Alerting withKey = start();
        withKey.endpoints().create(hook("desk"), null);
        closeNow(withKey);

        Alerting without = service(new AlertingConfig(List.of(), QUICK, AlertingConfig.TAKE_OVER_AFTER, false));
        assertThatThrownBy(without::start)
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("encrypted with the key 'k1'")
                .hasMessageContaining("alerting.endpoint-keys");
        without.close();
        EndpointKey other = new EndpointKey("k1", "another secret, 32 bytes or more".getBytes(UTF_8));
        Alerting wrong =
                service(new AlertingConfig(List.of(), QUICK, AlertingConfig.TAKE_OVER_AFTER, false, limits(other)));
        assertThatThrownBy(wrong::start).hasMessageContaining("endpoint desk cannot be decrypted");
        wrong.close();
        EndpointKey newer = new EndpointKey("k2", "another secret, 32 bytes or more".getBytes(UTF_8));
        Alerting rotated = started(
                new AlertingConfig(List.of(), QUICK, AlertingConfig.TAKE_OVER_AFTER, false, limits(newer, KEY)));
        rotated.endpoints().pause("desk");
        assertThat(register()).contains("\"key\":\"k2\"");
    }
}
