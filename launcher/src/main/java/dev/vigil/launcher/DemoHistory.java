package dev.vigil.launcher;

import dev.vigil.lakehouse.query.HistoryQuery;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a demo's history says, for the figures at its end.
 *
 * @param transactions rows of the bank's table {@code transactions}, scored or put aside as too late, each once: one that is
 *     captured again after a crash may be put aside again, or be too late by then
 * @param scored rows of scored events, corrections left out
 * @param corrections of scored events
 * @param delivered alerts that at least one endpoint accepted
 * @param suppressed alerts that were not sent because of a cooldown
 * @param givenUp alerts that no endpoint accepted, without a further attempt
 */
record DemoHistory(long transactions, long scored, long corrections, long delivered, long suppressed, long givenUp) {
    static final String TRANSACTIONS = """
            WITH captured_late AS (SELECT DISTINCT source, event_id FROM late_events
                                   WHERE type = 'transaction' AND source LIKE '/cdc/%'),
                 captured AS (SELECT source, event_id FROM scored_events
                              WHERE type = 'transaction' AND source LIKE '/cdc/%' AND revision = 0)
            SELECT (SELECT count(*) FROM captured) + (SELECT count(*) FROM captured_late)
                   - (SELECT count(DISTINCT (source, event_id)) FROM captured
                      WHERE (source, event_id) IN (SELECT (source, event_id) FROM captured_late))""";
    static final String SCORED =
            "SELECT count(*) FILTER (revision = 0), count(*) FILTER (revision > 0) FROM scored_events";

    private static final String ALERTS = """
            SELECT count(*) FILTER (accepted), count(*) FILTER (held_back), count(*) FILTER (given_up AND NOT accepted)
            FROM (SELECT bool_or(outcome = 'delivered') AS accepted, bool_or(outcome = 'suppressed') AS held_back,
                         bool_or(outcome = 'given_up') AS given_up
                  FROM deliveries GROUP BY alert_id)""";

    static DemoHistory ask(VigilConfig config) {
        try (HistoryQuery history = HistoryQuery.open(
                config.lakehouse(), config.dataDirectory().resolve(ServiceName.LAKEHOUSE_SINK.label()))) {
            List<@Nullable Object> scored = history.run(SCORED).rows().get(0);
            List<@Nullable Object> alerts = history.run(ALERTS).rows().get(0);
            return new DemoHistory(
                    number(history.run(TRANSACTIONS).rows().get(0).get(0)),
                    number(scored.get(0)),
                    number(scored.get(1)),
                    number(alerts.get(0)),
                    number(alerts.get(1)),
                    number(alerts.get(2)));
        }
    }

    private static long number(@Nullable Object count) {
        return ((Number) Objects.requireNonNull(count)).longValue();
    }

    /** Alerts whose end it knows. */
    long settled() {
        return delivered + suppressed + givenUp;
    }
}
