package dev.vigil.alerting.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.RetryConfig;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.event.endpoint.FailedDeliveries;
import dev.vigil.event.endpoint.FailedDelivery;
import dev.vigil.event.endpoint.Redelivery;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receiver that was down for longer than alerts are retried, and what it missed; with a real broker and real sockets. */
final class RedeliveryIT extends EndpointsRig {
    /** No second attempt lies within the time that an alert is kept. */
    private static final RetryConfig SHORT =
            new RetryConfig(Duration.ofHours(1), Duration.ofHours(1), Duration.ofMinutes(10));

    private static final long EVER = Long.MAX_VALUE;
    private static final int ALERTS = 60;
    /** Longer than an alert is kept, and than the breaker of an endpoint that takes nothing stays shut. */
    private static final long LATER_MS = Duration.ofMinutes(11).toMillis();

    @TempDir
    private Path otherDisk;

    private Alerting alerting;
    private long downSinceMs;

    private static TestAlerts[] alerts(int from, int to) {
        return IntStream.range(from, to).mapToObj(TestAlerts::at).toArray(TestAlerts[]::new);
    }

    private Alerting startShort(Path disk) {
        Alerting started = opened(new Alerting(
                topic.kafka(),
                new AlertingConfig(List.of(), SHORT, AlertingConfig.TAKE_OVER_AFTER, false, limits(KEY)),
                disk,
                clock,
                new SimpleMeterRegistry()));
        started.start();
        eventually(() -> !started.status().standingBy());
        return started;
    }

    /** Endpoint desk has given up all alerts, and its receiver is up again. */
    private void missAll() throws Exception {
        alerting = startShort(directory);
        alerting.endpoints().create(hook("desk"), null);
        downSinceMs = clock.epochMs();
        receiver.answer(503);
        topic.put(alerts(0, ALERTS));
        eventually(() ->
                alerting.status().alerts() == ALERTS && receiver.messages().size() >= 10);
        aheadMs.addAndGet(LATER_MS);
        eventually(() -> alerting.status().givenUp() == ALERTS);
        eventually(() -> failed(alerting).total() == ALERTS);
        receiver.answer(204);
        aheadMs.addAndGet(LATER_MS);
    }

    private FailedDeliveries failed(Alerting of) {
        return of.endpoints().failed("desk", downSinceMs, EVER, 1_000);
    }

    private Set<String> acceptedIds() {
        return receiver.accepted().stream().map(CapturingReceiver.Message::id).collect(Collectors.toSet());
    }

    @Test
    void shouldDeliverOnceMoreWithTheSameIdsWhatWasGivenUp() throws Exception {
        missAll();
        FailedDelivery one = failed(alerting).deliveries().get(0);
        assertThat(one.endpoint()).isEqualTo("desk");
        assertThat(one.reason()).isNotBlank();
        assertThat(alerting.endpoints().failed(null, downSinceMs, EVER, 7).deliveries())
                .hasSize(7)
                .isSortedAccordingTo((a, b) -> Long.compare(b.givenUpAtMs(), a.givenUpAtMs()));
        assertThat(alerting.endpoints().failed("audit", downSinceMs, EVER, 7).total())
                .isZero();
        assertThat(alerting.endpoints().failed("desk", 0, downSinceMs, 7).total())
                .isZero();

        long downUntilMs = clock.epochMs() + 1;
        Redelivery would = alerting.endpoints().redeliver("desk", downSinceMs, downUntilMs, true);
        assertThat(would).isEqualTo(new Redelivery("desk", true, ALERTS, 0, 0, 0));
        assertThat(receiver.accepted()).isEmpty();

        Redelivery done = alerting.endpoints().redeliver("desk", downSinceMs, EVER, false);
        assertThat(done).isEqualTo(new Redelivery("desk", false, ALERTS, ALERTS, 0, 0));
        eventually(() -> acceptedIds().size() == ALERTS);
        assertThat(acceptedIds())
                .isEqualTo(IntStream.range(0, ALERTS)
                        .mapToObj(n -> TestAlerts.at(n).id())
                        .collect(Collectors.toSet()));
        assertThat(receiver.accepted()).hasSize(ALERTS).allMatch(CapturingReceiver.Message::redelivery);
        eventually(() -> alerting.status().pending() == 0);
        assertThat(alerting.status().delivered()).isEqualTo(ALERTS);
        assertThat(alerting.status().alerts()).isEqualTo(ALERTS);

        eventually(() -> failed(alerting).total() == 0);
        assertThat(alerting.endpoints()
                        .redeliver("desk", downSinceMs, EVER, false)
                        .found())
                .isZero();
        topic.put(alerts(ALERTS, ALERTS + 1));
        eventually(() -> receiver.accepted().size() == ALERTS + 1);
        assertThat(receiver.accepted().get(ALERTS).redelivery()).isFalse();
    }

    @Test
    void shouldKeepWhatIsOnItsWayAcrossARestartAndNotPutItThereTwice() throws Exception {
        missAll();
        alerting.endpoints().pause("desk");
        alerting.endpoints().redeliver("desk", downSinceMs, EVER, false);
        assertThat(alerting.endpoints().redeliver("desk", downSinceMs, EVER, false))
                .isEqualTo(new Redelivery("desk", false, ALERTS, 0, ALERTS, 0));
        alerting.close();

        Alerting again = startShort(directory);
        assertThat(again.status().pending()).isEqualTo(ALERTS);
        again.endpoints().resume("desk");
        eventually(() -> again.status().pending() == 0);
        assertThat(receiver.accepted()).hasSize(ALERTS).allMatch(CapturingReceiver.Message::redelivery);
        assertThat(acceptedIds()).hasSize(ALERTS);
    }

    @Test
    void shouldRedeliverWhatAnInstanceGaveUpWhoseDiskIsLost() throws Exception {
        missAll();
        alerting.close();

        Alerting other = startShort(otherDisk);
        eventually(() -> other.status().alerts() == ALERTS && other.status().pending() == 0);
        assertThat(receiver.accepted()).isEmpty();
        other.endpoints().redeliver("desk", downSinceMs, EVER, false);
        eventually(() -> acceptedIds().size() == ALERTS);
        assertThat(receiver.accepted()).hasSize(ALERTS);
    }

    @Test
    void shouldRefuseToRedeliverToAnEndpointThatTakesNothingMore() throws Exception {
        missAll();
        refuses(
                Kind.UNKNOWN,
                "there is no endpoint nobody",
                () -> alerting.endpoints().redeliver("nobody", 0, EVER, false));
        receiver.answer(410);
        alerting.endpoints().redeliver("desk", downSinceMs, EVER, false);
        eventually(() -> alerting.status().pending() == 0);
        refuses(
                Kind.CONFLICT,
                "endpoint desk answered 410",
                () -> alerting.endpoints().redeliver("desk", 0, EVER, false));
    }
}
