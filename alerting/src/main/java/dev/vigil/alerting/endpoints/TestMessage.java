package dev.vigil.alerting.endpoints;

import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.EventTimes;
import dev.vigil.event.RuleHit;
import dev.vigil.event.SourcePosition;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What somebody is sent who asked whether an endpoint takes anything: in the form of an alert, and plainly none. */
final class TestMessage {
    private TestMessage() {}

    static Alert of(UUID id, long nowMs) {
        return new Alert(
                "test_" + id,
                "test",
                "/vigil/test",
                "test",
                "test",
                EventTimes.fromEpochMs(nowMs),
                nowMs,
                new SourcePosition("test", 0, 0),
                "test",
                0,
                "XXX",
                0,
                Decision.APPROVE,
                "test",
                0,
                Map.of(),
                List.of(new RuleHit("test", 0, "this is a test of the endpoint, and no alert", Map.of())));
    }
}
