package dev.vigil.launcher;

import dev.vigil.lakehouse.query.HistoryQuery;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a demo's history says, for the figures at its end.
 *
 * @param transactions rows of the bank's table {@code transactions}, scored or too late
 * @param delivered alerts that at least one endpoint accepted
 * @param suppressed alerts that were not sent because of a cooldown
 * @param givenUp alerts that no endpoint accepted, without a further attempt
 */
record DemoHistory(long transactions, long delivered, long suppressed, long givenUp) {
    private static final String ALERTS = """
            SELECT count(*) FILTER (accepted), count(*) FILTER (held_back), count(*) FILTER (given_up AND NOT accepted)
            FROM (SELECT bool_or(outcome = 'delivered') AS accepted, bool_or(outcome = 'suppressed') AS held_back,
                         bool_or(outcome = 'given_up') AS given_up
                  FROM deliveries GROUP BY alert_id)""";

    static DemoHistory ask(VigilConfig config) {
        try (HistoryQuery history = HistoryQuery.open(
                config.lakehouse(), config.dataDirectory().resolve(ServiceName.LAKEHOUSE_SINK.label()))) {
            List<@Nullable Object> alerts = history.run(ALERTS).rows().get(0);
            return new DemoHistory(
                    captured(history, "scored_events") + captured(history, "late_events"),
                    number(alerts.get(0)),
                    number(alerts.get(1)),
                    number(alerts.get(2)));
        }
    }

    private static long captured(HistoryQuery history, String table) {
        return number(
                history.run("SELECT count(*) FROM " + table + " WHERE type = 'transaction' AND source LIKE '/cdc/%'")
                        .rows()
                        .get(0)
                        .get(0));
    }

    private static long number(@Nullable Object count) {
        return ((Number) Objects.requireNonNull(count)).longValue();
    }

    /** Alerts whose end it knows. */
    long settled() {
        return delivered + suppressed + givenUp;
    }
}
