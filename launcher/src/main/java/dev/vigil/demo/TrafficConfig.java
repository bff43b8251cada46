package dev.vigil.demo;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * How the demo's traffic is played.
 *
 * @param eventsPerSecond ordinary events; planted fraud comes on top, about 2 %
 * @param duration of the stream, in event time; empty: until closed
 * @param intake where the HTTP intake lives, such as {@code http://127.0.0.1:8080}
 */
public record TrafficConfig(double eventsPerSecond, Optional<Duration> duration, URI intake) {
    public TrafficConfig {
        if (!(eventsPerSecond > 0)) {
            throw new IllegalArgumentException("eventsPerSecond: expected more than 0, found " + eventsPerSecond);
        }
        if (duration.isPresent()
                && (duration.get().isNegative() || duration.get().isZero())) {
            throw new IllegalArgumentException("duration: expected more than 0, found " + duration.get());
        }
    }
}
