package dev.vigil.lakehouse.iceberg;

import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.RuleHit;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.SourcePosition;
import dev.vigil.event.Summary;
import dev.vigil.lakehouse.HistoryRow;
import dev.vigil.lakehouse.PolicyTypes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Rows as records of one table schema. One thread. */
final class RowMapper {
    private final GenericRecord template;
    private final @Nullable GenericRecord ruleTemplate;
    private final StructWriter fields;
    private final StructWriter features;
    private long misfits;

    RowMapper(Schema schema) {
        this.template = GenericRecord.create(schema);
        this.fields = new StructWriter(schema, HistorySchemas.FIELDS);
        this.features = new StructWriter(schema, HistorySchemas.FEATURES);
        Types.NestedField rules = schema.findField("rules");
        this.ruleTemplate = rules == null
                ? null
                : GenericRecord.create(rules.type().asListType().elementType().asStructType());
    }

    StructWriter fields() {
        return fields;
    }

    StructWriter features() {
        return features;
    }

    /** Values that fitted no column so far. */
    long misfits() {
        return misfits;
    }

    /** @param types of the policy that scored the row; not read for another kind of row */
    Record map(HistoryRow row, PolicyTypes types) {
        GenericRecord record = template.copy();
        record.setField("account", row.account());
        record.setField(HistorySchemas.EVENT_TIME, timeUs(row.eventTimeUs()));
        if (row instanceof HistoryRow.Scored scored) {
            scored(record, scored.event(), types);
            record.setField("decision_time", timeMs(scored.decidedAtMs()));
        } else if (row instanceof HistoryRow.Raised raised) {
            alert(record, raised.alert());
            record.setField("raised_time", timeMs(raised.raisedAtMs()));
        } else if (row instanceof HistoryRow.Attempted attempted) {
            delivery(record, attempted.delivery());
        } else if (row instanceof HistoryRow.Summarised summarised) {
            summary(record, summarised.summary());
            record.setField("told_time", timeMs(summarised.toldAtMs()));
        } else if (row instanceof HistoryRow.Late late) {
            late(record, late);
        }
        return record;
    }

    private void scored(GenericRecord record, ScoredEvent event, PolicyTypes types) {
        record.setField("event_id", event.eventId());
        record.setField("source", event.source());
        record.setField("type", event.type());
        record.setField("ingest_time", timeMs(event.ingestTimeMs()));
        record.setField("decision", event.decision().label());
        record.setField("score", event.score());
        record.setField("policy", event.policy());
        record.setField("policy_version", event.policyVersion());
        record.setField("backfill", event.backfill());
        record.setField("revision", event.revision());
        position(record, event.position());
        record.setField("rules", rules(event.rules()));
        record.setField("shadow_rules", rules(event.shadowRules()));
        Map<String, String> unfit = new LinkedHashMap<>();
        struct(record, HistorySchemas.FIELDS, fields.fill(event.fields(), types.fields(), unfit));
        struct(record, HistorySchemas.FEATURES, features.fill(event.features(), types.features(), unfit));
        if (!unfit.isEmpty()) {
            record.setField(HistorySchemas.MISFITS, unfit);
            misfits += unfit.size();
        }
    }

    private static void struct(GenericRecord record, String name, @Nullable Record value) {
        if (value != null) {
            record.setField(name, value);
        }
    }

    private void alert(GenericRecord record, Alert alert) {
        record.setField("alert_id", alert.alertId());
        record.setField("event_id", alert.eventId());
        record.setField("source", alert.source());
        record.setField("type", alert.type());
        record.setField("ingest_time", timeMs(alert.ingestTimeMs()));
        record.setField("decision", alert.decision().label());
        record.setField("score", alert.score());
        record.setField("policy", alert.policy());
        record.setField("policy_version", alert.policyVersion());
        record.setField("currency", alert.currency());
        record.setField("group_by", alert.groupBy());
        record.setField("cooldown_ms", alert.cooldownMs());
        position(record, alert.position());
        record.setField("rules", rules(alert.rules()));
        record.setField("event_fields", json(alert.fields()));
    }

    private static void delivery(GenericRecord record, Delivery delivery) {
        record.setField("alert_id", delivery.alertId());
        record.setField("ingest_time", timeMs(delivery.ingestTimeMs()));
        record.setField("attempted_time", timeMs(delivery.attemptedAtMs()));
        record.setField("duration_ms", delivery.durationMs());
        record.setField("endpoint", delivery.endpoint());
        record.setField("attempt", delivery.attempt());
        record.setField("outcome", delivery.outcome().label());
        record.setField("status_code", delivery.statusCode());
        record.setField("detail", delivery.detail());
        position(record, delivery.position());
    }

    private static void summary(GenericRecord record, Summary summary) {
        record.setField("summary", summary.summary());
        record.setField("window_end", timeUs(summary.windowEndUs()));
        record.setField(HistorySchemas.REVISION, summary.revision());
        record.setField("policy", summary.policy());
        record.setField("policy_version", summary.policyVersion());
        record.setField("currency", summary.currency());
        position(record, summary.position());
        record.setField("result", json(summary.values()));
    }

    private static void late(GenericRecord record, HistoryRow.Late late) {
        record.setField("event_id", late.eventId());
        record.setField("source", late.source());
        record.setField("type", late.type());
        record.setField("put_aside_time", timeMs(late.putAsideAtMs()));
        record.setField("backfill", late.backfill());
        if (late.position() != null) {
            position(record, late.position());
        }
        record.setField("data", late.data());
    }

    private static void position(GenericRecord record, SourcePosition position) {
        record.setField("source_topic_id", position.topicId());
        record.setField("source_partition", position.partition());
        record.setField("source_offset", position.offset());
    }

    private @Nullable List<Record> rules(List<RuleHit> hits) {
        if (ruleTemplate == null) {
            return null;
        }
        List<Record> records = new ArrayList<>(hits.size());
        for (RuleHit hit : hits) {
            GenericRecord record = ruleTemplate.copy();
            record.setField("rule", hit.rule());
            record.setField("score", hit.score());
            record.setField("reason", hit.reason());
            record.setField("values", hit.values().isEmpty() ? null : json(hit.values()));
            records.add(record);
        }
        return records;
    }

    private static String json(Map<String, Object> values) {
        return new String(Json.encode(values), StandardCharsets.UTF_8);
    }

    private static OffsetDateTime timeUs(long timeUs) {
        return EventTimes.toInstant(timeUs).atOffset(ZoneOffset.UTC);
    }

    private static OffsetDateTime timeMs(long timeMs) {
        return Instant.ofEpochMilli(timeMs).atOffset(ZoneOffset.UTC);
    }
}
