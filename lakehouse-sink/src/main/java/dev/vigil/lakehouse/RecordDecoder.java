package dev.vigil.lakehouse;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.vigil.event.Alert;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.Delivery;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.RecordKinds;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.ScoredSchema;
import dev.vigil.event.SourcePosition;
import dev.vigil.event.Summary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import org.jspecify.annotations.Nullable;

/** Records of the consumed topics as rows. A pure function; safe for any thread. */
final class RecordDecoder {
    private RecordDecoder() {}

    static Decoded decode(HistoryTable table, RawRecord record) throws BadRecordException {
        if (record.value() == null) {
            return new Decoded.Nothing();
        }
        return switch (table) {
            case SCORED_EVENTS -> scored(record, record.value());
            case ALERTS -> alert(record, record.value());
            case DELIVERIES -> delivery(record.value());
            case LATE_EVENTS -> late(record, record.value());
            case SUMMARIES -> summary(record, record.value());
        };
    }

    private static Decoded scored(RawRecord record, byte[] value) throws BadRecordException {
        String kind = record.header(RecordKinds.HEADER);
        if (RecordKinds.SCHEMA.equals(kind)) {
            ScoredSchema schema = json(value, ScoredSchema.class);
            required("policy", schema.policy());
            return new Decoded.Schema(schema);
        }
        if (kind != null && !kind.equals(RecordKinds.SCORED)) {
            // Of a newer engine; nothing that this version keeps.
            return new Decoded.Nothing();
        }
        ScoredEvent event = json(value, ScoredEvent.class);
        required("event_id", event.eventId());
        required("source", event.source());
        required("type", event.type());
        required("account", event.account());
        required("position", event.position());
        required("policy", event.policy());
        required("decision", event.decision());
        inRange(event.eventTimeUs());
        return new Decoded.Row(
                new HistoryRow.Scored(event, record.timestampMs()), event.position(), event.keyAtPosition());
    }

    private static Decoded alert(RawRecord record, byte[] value) throws BadRecordException {
        Alert alert = json(value, Alert.class);
        required("alert_id", alert.alertId());
        required("event_id", alert.eventId());
        required("account", alert.account());
        required("position", alert.position());
        required("decision", alert.decision());
        inRange(alert.eventTimeUs());
        return new Decoded.Row(new HistoryRow.Raised(alert, record.timestampMs()), alert.position(), "");
    }

    private static Decoded delivery(byte[] value) throws BadRecordException {
        Delivery delivery = json(value, Delivery.class);
        required("alert_id", delivery.alertId());
        required("account", delivery.account());
        required("position", delivery.position());
        required("outcome", delivery.outcome());
        inRange(delivery.eventTimeUs());
        // Every attempt is a row of its own, and attempts come from one producer that does not repeat itself.
        return new Decoded.Row(new HistoryRow.Attempted(delivery), null, "");
    }

    private static Decoded summary(RawRecord record, byte[] value) throws BadRecordException {
        Summary summary = json(value, Summary.class);
        required("summary", summary.summary());
        required("account", summary.account());
        required("position", summary.position());
        required("policy", summary.policy());
        inRange("window_start_us", summary.windowStartUs());
        return new Decoded.Row(
                new HistoryRow.Summarised(summary, record.timestampMs()), summary.position(), summary.keyAtPosition());
    }

    private static Decoded late(RawRecord record, byte[] value) throws BadRecordException {
        String position = record.header(DeadLetter.POSITION_HEADER);
        try {
            SourcePosition source = position == null ? null : SourcePosition.parse(position);
            HistoryRow.Late row = new HistoryRow.Late(
                    header(record, EventEnvelope.ID_HEADER),
                    header(record, EventEnvelope.SOURCE_HEADER),
                    header(record, EventEnvelope.TYPE_HEADER),
                    header(record, EventEnvelope.SUBJECT_HEADER),
                    EventTimes.parse(header(record, EventEnvelope.TIME_HEADER)),
                    "true".equals(record.header(EventEnvelope.BACKFILL_HEADER)),
                    record.timestampMs(),
                    source,
                    new String(value, StandardCharsets.UTF_8));
            return new Decoded.Row(row, source, "");
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new BadRecordException(DeadLetter.Reason.MALFORMED_ENVELOPE, String.valueOf(e.getMessage()));
        }
    }

    private static String header(RawRecord record, String name) throws BadRecordException {
        String value = record.header(name);
        if (value == null) {
            throw new BadRecordException(DeadLetter.Reason.MALFORMED_ENVELOPE, "expected a header " + name);
        }
        return value;
    }

    private static <T> T json(byte[] value, Class<T> type) throws BadRecordException {
        try {
            return Json.mapper().readValue(value, type);
        } catch (JsonProcessingException e) {
            // The original message can quote the document, which may hold a card number: name the place alone.
            String place = e.getLocation() == null
                    ? ""
                    : ", at byte " + e.getLocation().getByteOffset();
            throw new BadRecordException(
                    DeadLetter.Reason.MALFORMED_JSON, "expected a JSON " + type.getSimpleName() + place);
        } catch (IOException e) {
            throw new BadRecordException(DeadLetter.Reason.MALFORMED_JSON, "expected a JSON " + type.getSimpleName());
        }
    }

    private static void required(String field, @Nullable Object value) throws BadRecordException {
        if (value == null) {
            throw new BadRecordException(DeadLetter.Reason.BAD_FIELD, field + ": expected a value, found none");
        }
    }

    private static void inRange(long timeUs) throws BadRecordException {
        inRange("event_time_us", timeUs);
    }

    private static void inRange(String field, long timeUs) throws BadRecordException {
        if (timeUs < EventTimes.MIN_US || timeUs > EventTimes.MAX_US) {
            throw new BadRecordException(
                    DeadLetter.Reason.TIME_OUT_OF_RANGE,
                    field + ": expected a time in the years 0001 to 9999, found " + timeUs);
        }
    }
}
