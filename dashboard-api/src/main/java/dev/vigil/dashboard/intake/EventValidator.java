package dev.vigil.dashboard.intake;

import dev.vigil.event.EventEnvelope;
import java.util.List;

/**
 * What a deployment checks of an event beyond its envelope, such as the fields of the active policy; whatever passes and
 * does not fit is dead-lettered by the engine. Called by many threads; must not block.
 */
@FunctionalInterface
public interface EventValidator {
    EventValidator NONE = event -> List.of();

    /** A complaint about one field; the detail says what was expected, and holds no card number. */
    record Complaint(String field, String code, String detail) {}

    /** Everything that is wrong with the event; empty lets it pass. */
    List<Complaint> check(EventEnvelope event);
}
