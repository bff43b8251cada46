package dev.vigil.dashboard.live;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vigil.event.Delivery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How far the delivery of an alert is.
 *
 * @param suppressedBy why the alert was not sent, and its case, where it was suppressed
 * @param endpoints the last attempt at each
 */
public record DeliveryView(State state, @Nullable String suppressedBy, List<Attempt> endpoints) {
    public static final DeliveryView PENDING = new DeliveryView(State.PENDING, null, List.of());

    public DeliveryView {
        endpoints = List.copyOf(endpoints);
    }

    /** Worst of the endpoints. */
    public enum State {
        PENDING,
        DELIVERED,
        RETRYING,
        GIVEN_UP,
        SUPPRESSED;

        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The last attempt at an endpoint.
     *
     * @param latencyMs from the event's ingest to this attempt's end
     */
    public record Attempt(
            String endpoint,
            int attempt,
            Delivery.Outcome outcome,
            @Nullable Integer statusCode,
            @Nullable String detail,
            long attemptedAtMs,
            long durationMs,
            long latencyMs) {
        static Attempt of(Delivery delivery) {
            String endpoint = delivery.endpoint();
            return new Attempt(
                    endpoint == null ? "" : endpoint,
                    delivery.attempt(),
                    delivery.outcome(),
                    delivery.statusCode(),
                    delivery.detail(),
                    delivery.attemptedAtMs(),
                    delivery.durationMs(),
                    Math.max(0, delivery.attemptedAtMs() + delivery.durationMs() - delivery.ingestTimeMs()));
        }
    }

    /** @param deliveries the last record of each endpoint */
    static DeliveryView of(Collection<Delivery> deliveries) {
        List<Attempt> attempts = new ArrayList<>();
        State worst = State.PENDING;
        for (Delivery delivery : deliveries) {
            if (delivery.outcome() == Delivery.Outcome.SUPPRESSED) {
                return new DeliveryView(State.SUPPRESSED, delivery.detail(), List.of());
            }
            attempts.add(Attempt.of(delivery));
            State state = state(delivery.outcome());
            worst = state.compareTo(worst) > 0 ? state : worst;
        }
        return new DeliveryView(worst, null, attempts);
    }

    private static State state(Delivery.Outcome outcome) {
        return switch (outcome) {
            case DELIVERED -> State.DELIVERED;
            case FAILED -> State.RETRYING;
            case GIVEN_UP -> State.GIVEN_UP;
            case SUPPRESSED -> State.SUPPRESSED;
        };
    }
}
