package dev.vigil.dashboard.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.Delivery;
import dev.vigil.event.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LiveFeedsTest {
    private static final SourcePosition POSITION = new SourcePosition("topic", 0, 1);

    private static Alert alert(String id, long ingestTimeMs) {
        return new Alert(
                id,
                "e-" + id,
                "/s",
                "tx",
                "acc",
                0,
                ingestTimeMs,
                POSITION,
                "p",
                1,
                "EUR",
                50,
                Decision.REVIEW,
                "acc",
                0,
                Map.of(),
                List.of());
    }

    private static Delivery delivery(String alertId, @Nullable String endpoint, int attempt, Delivery.Outcome outcome) {
        return new Delivery(alertId, "acc", POSITION, 0, 1_000, endpoint, attempt, outcome, null, null, 1_010, 5);
    }

    @Test
    void shouldKeepTheLastAlertsAndShowEachOnce() {
        AlertFeed feed = new AlertFeed(2);
        assertThat(feed.add(alert("a", 1))).isPresent();
        assertThat(feed.add(alert("a", 1))).as("again after a crash").isEmpty();
        feed.add(alert("c", 3));
        feed.add(alert("b", 2));
        assertThat(feed.recent(10, null))
                .extracting(view -> view.alert().alertId())
                .containsExactly("c", "b");
        assertThat(feed.find("a")).isEmpty();
    }

    @Test
    void shouldTellTheWorstOfTheEndpointsByTheLastAttemptOfEach() {
        AlertFeed feed = new AlertFeed(10);
        assertThat(feed.add(delivery("a", "x", 1, Delivery.Outcome.FAILED)).state())
                .isEqualTo(DeliveryView.State.RETRYING);
        feed.add(delivery("a", "y", 1, Delivery.Outcome.DELIVERED));
        assertThat(feed.add(delivery("a", "x", 2, Delivery.Outcome.DELIVERED)).state())
                .isEqualTo(DeliveryView.State.DELIVERED);
        feed.add(delivery("a", "x", 1, Delivery.Outcome.FAILED));
        assertThat(feed.add(alert("a", 1)).orElseThrow().delivery().state())
                .as("an older attempt told again, and a delivery before its alert")
                .isEqualTo(DeliveryView.State.DELIVERED);
        assertThat(feed.find("a").orElseThrow().delivery().endpoints())
                .extracting(DeliveryView.Attempt::latencyMs)
                .containsExactly(15L, 15L);
        assertThat(feed.add(delivery("a", "z", 9, Delivery.Outcome.GIVEN_UP)).state())
                .isEqualTo(DeliveryView.State.GIVEN_UP);
    }

    @Test
    void shouldTellOfASuppressedAlert() {
        AlertFeed feed = new AlertFeed(10);
        feed.add(alert("a", 1));
        feed.add(delivery("a", null, 0, Delivery.Outcome.SUPPRESSED));
        assertThat(feed.find("a").orElseThrow().delivery().state()).isEqualTo(DeliveryView.State.SUPPRESSED);
    }

    @Test
    void shouldLeaveOutScoredEventsThatCannotBeRead() {
        ScoredFeed feed = new ScoredFeed(3);
        byte[] account = "acc".getBytes(StandardCharsets.UTF_8);
        feed.add(account, "not json".getBytes(StandardCharsets.UTF_8));
        assertThat(feed.recent(10, account)).isEmpty();
    }
}
