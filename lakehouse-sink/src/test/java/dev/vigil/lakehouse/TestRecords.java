package dev.vigil.lakehouse;

import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.Delivery;
import dev.vigil.event.FieldType;
import dev.vigil.event.RuleHit;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.ScoredSchema;
import dev.vigil.event.SourcePosition;
import dev.vigil.event.Summary;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Records as the engine writes them. */
public final class TestRecords {
    public static final String LOG_ID = "log-topic-id";
    public static final long NOON_US = Instant.parse("2026-11-30T12:00:00Z").toEpochMilli() * 1_000;
    public static final long DAY_US = 86_400_000_000L;

    private TestRecords() {}

    public static SourcePosition at(int partition, long offset) {
        return new SourcePosition(LOG_ID, partition, offset);
    }

    public static ScoredEvent scored(int partition, long offset) {
        return scored(
                partition, offset, NOON_US + offset * 1_000_000, Map.of("amount", new BigDecimal("12.50")), Map.of());
    }

    public static ScoredEvent scored(
            int partition, long offset, long timeUs, Map<String, Object> fields, Map<String, Object> features) {
        boolean declined = offset % 10 == 0;
        return new ScoredEvent(
                "event-" + partition + "-" + offset,
                "/bank",
                "transaction",
                "account-" + offset % 7,
                timeUs,
                timeUs / 1_000 + 5,
                false,
                0,
                at(partition, offset),
                "card-fraud",
                1,
                declined ? 90 : 0,
                declined ? Decision.DECLINE : Decision.APPROVE,
                fields,
                features,
                declined ? List.of(new RuleHit("velocity", 90, "many payments", Map.of("tx_count_1h", 9))) : List.of(),
                List.of());
    }

    /** A correction of the event at an offset by the late one at another. */
    public static ScoredEvent corrected(int partition, long offset, long causeOffset) {
        ScoredEvent event = scored(partition, offset);
        return new ScoredEvent(
                event.eventId(),
                event.source(),
                event.type(),
                event.account(),
                event.eventTimeUs(),
                event.ingestTimeMs(),
                false,
                causeOffset - offset,
                at(partition, causeOffset),
                event.policy(),
                event.policyVersion(),
                event.score(),
                event.decision(),
                event.fields(),
                event.features(),
                event.rules(),
                event.shadowRules());
    }

    public static ScoredSchema schema(int version, Map<String, FieldType> fields, Map<String, FieldType> features) {
        return new ScoredSchema("card-fraud", version, "EUR", 2, at(0, 0), fields, features);
    }

    public static Alert alert(int partition, long offset) {
        ScoredEvent event = scored(partition, offset);
        return new Alert(
                "alert-" + partition + "-" + offset,
                event.eventId(),
                event.source(),
                event.type(),
                event.account(),
                event.eventTimeUs(),
                event.ingestTimeMs(),
                event.position(),
                event.policy(),
                event.policyVersion(),
                "EUR",
                90,
                Decision.DECLINE,
                event.account(),
                900_000,
                event.fields(),
                event.rules());
    }

    public static Delivery delivery(int partition, long offset, int attempt, Delivery.Outcome outcome) {
        ScoredEvent event = scored(partition, offset);
        return new Delivery(
                "alert-" + partition + "-" + offset,
                event.account(),
                event.position(),
                event.eventTimeUs(),
                event.ingestTimeMs(),
                "desk",
                attempt,
                outcome,
                outcome == Delivery.Outcome.DELIVERED ? 204 : 503,
                null,
                event.ingestTimeMs() + 40,
                17);
    }

    /** A result told with the record at an offset of partition 0. */
    public static Summary summary(long offset, long index, long revision) {
        return new Summary(
                "daily",
                "account-" + index,
                NOON_US,
                NOON_US + DAY_US,
                revision,
                at(0, offset),
                index,
                "card-fraud",
                1,
                "EUR",
                Map.of("total", new BigDecimal("12.50")));
    }
}
