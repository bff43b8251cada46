package dev.vigil.dashboard.http;

import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.Decision;
import dev.vigil.event.Explanation;
import dev.vigil.event.Explanation.Contributor;
import dev.vigil.event.Explanation.Doubt;
import dev.vigil.event.Explanation.Feature;
import dev.vigil.event.Explanation.Later;
import dev.vigil.event.Explanation.Rule;
import dev.vigil.event.Explanation.Window;
import dev.vigil.event.FieldType;
import dev.vigil.event.SourcePosition;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An engine that explains every event alike; of account {@code refused} nothing, for the reason that the id names, and of
 * account {@code earlier} as one does that does not know since when features were complete.
 */
final class FakeExplanations {
    private FakeExplanations() {}

    static Explanation explain(String account, String eventId, @Nullable String source) {
        if (account.equals("refused")) {
            throw new CannotExplainException(
                    Kind.valueOf(eventId.toUpperCase(Locale.ROOT)), "why event " + eventId + " is not explained");
        }
        boolean isKnown = !account.equals("earlier");
        long timeUs = 1_800_000_000_000_000L;
        Window window = new Window(
                "transaction",
                timeUs - 3_600_000_000L,
                timeUs,
                2,
                List.of(
                        new Contributor("/shop", "earlier/event", timeUs - 1_000_000, 17, new BigDecimal("3.50")),
                        new Contributor("/shop", eventId, timeUs, 18, new BigDecimal("250.00"))));
        return new Explanation(
                eventId,
                source == null ? "/shop" : source,
                "transaction",
                account,
                timeUs,
                new SourcePosition(FakeServices.TOPIC_ID, 1, 18),
                "card-fraud",
                3,
                "EUR",
                false,
                60,
                Decision.REVIEW,
                isKnown ? new Later(2, 80, Decision.DECLINE) : null,
                isKnown ? null : "an earlier Vigil did not keep it",
                Map.of("amount", new BigDecimal("250.00")),
                List.of(
                        new Feature(
                                "tx_sum_1h",
                                FieldType.MONEY,
                                new BigDecimal("253.50"),
                                isKnown ? timeUs + 1 : null,
                                window,
                                null,
                                List.of(Doubt.FORGOTTEN)),
                        new Feature("ratio", FieldType.DOUBLE, 71.5, null, null, Map.of("tx_sum_1h", 253.5), List.of()),
                        new Feature("speed_kmh", FieldType.DOUBLE, null, null, null, Map.of(), List.of())),
                List.of(
                        new Rule("velocity", true, false, 60, "many payments", Map.of("ratio", 71.5), List.of()),
                        new Rule("travel", false, true, 50, "travel", Map.of(), List.of())));
    }
}
