package dev.vigil.backtest;

import dev.vigil.event.Decision;
import org.jspecify.annotations.Nullable;

/**
 * An event that alerts under one policy only. A decision and a score are absent where the policy did not score the event.
 *
 * @param change {@code newly_alerts} or {@code no_longer_alerts}
 * @param eventTime RFC 3339
 */
public record ChangedEvent(
        String change,
        String eventId,
        String account,
        String eventTime,
        @Nullable Decision decision,
        @Nullable Integer score,
        @Nullable Decision baselineDecision,
        @Nullable Integer baselineScore,
        Label label) {}
