package dev.vigil.lakehouse.query;

import dev.vigil.event.Decision;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.RuleHit;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.SourcePosition;
import dev.vigil.lakehouse.ColumnType;
import dev.vigil.lakehouse.StructColumns;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows of {@code scored_events} as the records that they were. */
final class ScoredRows {
    private final Map<String, ColumnType> fieldColumns;
    private final Map<String, ColumnType> featureColumns;

    ScoredRows(Map<String, ColumnType> fieldColumns, Map<String, ColumnType> featureColumns) {
        this.fieldColumns = fieldColumns;
        this.featureColumns = featureColumns;
    }

    ScoredEvent event(Map<String, @Nullable Object> row) {
        return new ScoredEvent(
                text(row, "event_id"),
                text(row, "source"),
                text(row, "type"),
                text(row, "account"),
                EventTimes.fromInstant((Instant) value(row, "event_time")),
                ((Instant) value(row, "ingest_time")).toEpochMilli(),
                (Boolean) value(row, "backfill"),
                ((Number) value(row, "revision")).longValue(),
                new SourcePosition(text(row, "source_topic_id"), (Integer) value(row, "source_partition"), (Long)
                        value(row, "source_offset")),
                text(row, "policy"),
                (Integer) value(row, "policy_version"),
                (Integer) value(row, "score"),
                Decision.parse(text(row, "decision")),
                struct(row.get("fields"), fieldColumns),
                struct(row.get("features"), featureColumns),
                rules(row.get("rules")),
                rules(row.get("shadow_rules")));
    }

    private static Object value(Map<String, @Nullable Object> row, String column) {
        Object value = row.get(column);
        if (value == null) {
            throw new QueryException(
                    QueryException.Kind.FAILED,
                    "scored_events." + column + ": expected a value in every row, found none");
        }
        return value;
    }

    private static String text(Map<String, @Nullable Object> row, String column) {
        return (String) value(row, column);
    }

    private static Map<String, Object> struct(@Nullable Object struct, Map<String, ColumnType> columns) {
        Map<String, Object> values = new LinkedHashMap<>();
        if (struct instanceof Map<?, ?> map) {
            columns.forEach((column, type) -> {
                Object value = map.get(column);
                if (value != null) {
                    values.put(
                            StructColumns.valueName(column, type),
                            value instanceof Instant time ? Long.valueOf(EventTimes.fromInstant(time)) : value);
                }
            });
        }
        return values;
    }

    private static List<RuleHit> rules(@Nullable Object list) {
        List<RuleHit> rules = new ArrayList<>();
        if (list instanceof List<?> hits) {
            for (Object hit : hits) {
                if (hit instanceof Map<?, ?> rule) {
                    rules.add(rule(rule));
                }
            }
        }
        return rules;
    }

    private static RuleHit rule(Map<?, ?> rule) {
        Object reason = rule.get("reason");
        Object values = rule.get("values");
        return new RuleHit(
                String.valueOf(rule.get("rule")),
                ((Number) Objects.requireNonNull(rule.get("score"), "rules.score")).intValue(),
                reason == null ? "" : reason.toString(),
                values == null ? Map.of() : Json.decodeObject(values.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
