package dev.vigil.lakehouse.iceberg;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;

import dev.vigil.lakehouse.HistoryTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * The tables as they are created; docs/formats/history.md says what the columns mean. Field ids here only tell columns
 * apart: Iceberg assigns its own on creation. {@code fields} and {@code features} are not here, since Parquet knows no
 * empty struct: each joins the table with its first column.
 */
final class HistorySchemas {
    static final String EVENT_TIME = "event_time";
    static final String FIELDS = "fields";
    static final String FEATURES = "features";
    static final String MISFITS = "misfits";
    static final String REVISION = "revision";

    private static final Type TIME = Types.TimestampType.withZone();
    private static final Type TEXT = Types.StringType.get();
    private static final Type INT = Types.IntegerType.get();
    private static final Type LONG = Types.LongType.get();
    private static final Type BOOL = Types.BooleanType.get();

    private final List<Types.NestedField> columns = new ArrayList<>();
    private int lastId;

    private HistorySchemas() {}

    static Schema schema(HistoryTable table) {
        HistorySchemas schema = new HistorySchemas();
        switch (table) {
            case SCORED_EVENTS -> schema.scoredEvents();
            case ALERTS -> schema.alerts();
            case DELIVERIES -> schema.deliveries();
            case LATE_EVENTS -> schema.lateEvents();
            case SUMMARIES -> schema.summaries();
        }
        return new Schema(schema.columns);
    }

    static PartitionSpec spec(Schema schema) {
        return PartitionSpec.builderFor(schema).day(EVENT_TIME).build();
    }

    static SortOrder sortOrder(Schema schema) {
        return SortOrder.builderFor(schema).asc("account").asc(EVENT_TIME).build();
    }

    static Map<String, String> properties() {
        return Map.of(
                TableProperties.FORMAT_VERSION, "2",
                TableProperties.PARQUET_COMPRESSION, "zstd",
                TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES, Long.toString(16L << 20),
                TableProperties.COMMIT_NUM_RETRIES, "20",
                TableProperties.COMMIT_TOTAL_RETRY_TIME_MS, "60000",
                TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true",
                TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "50");
    }

    private void scoredEvents() {
        must("event_id", TEXT);
        must("source", TEXT);
        must("type", TEXT);
        must("account", TEXT);
        must(EVENT_TIME, TIME);
        must("ingest_time", TIME);
        must("decision_time", TIME);
        must("decision", TEXT);
        must("score", INT);
        must("policy", TEXT);
        must("policy_version", INT);
        must("backfill", BOOL);
        must(REVISION, LONG);
        sourcePosition(true);
        rules("rules");
        rules("shadow_rules");
        may(MISFITS, Types.MapType.ofOptional(nextId(), nextId(), TEXT, TEXT));
    }

    private void alerts() {
        must("alert_id", TEXT);
        must("event_id", TEXT);
        must("source", TEXT);
        must("type", TEXT);
        must("account", TEXT);
        must(EVENT_TIME, TIME);
        must("ingest_time", TIME);
        must("raised_time", TIME);
        must("decision", TEXT);
        must("score", INT);
        must("policy", TEXT);
        must("policy_version", INT);
        may("currency", TEXT);
        may("group_by", TEXT);
        must("cooldown_ms", LONG);
        sourcePosition(true);
        rules("rules");
        may("event_fields", TEXT);
    }

    private void deliveries() {
        must("alert_id", TEXT);
        must("account", TEXT);
        must(EVENT_TIME, TIME);
        must("ingest_time", TIME);
        must("attempted_time", TIME);
        must("duration_ms", LONG);
        may("endpoint", TEXT);
        must("attempt", INT);
        must("outcome", TEXT);
        may("status_code", INT);
        may("detail", TEXT);
        sourcePosition(true);
    }

    private void lateEvents() {
        must("event_id", TEXT);
        must("source", TEXT);
        must("type", TEXT);
        must("account", TEXT);
        must(EVENT_TIME, TIME);
        must("put_aside_time", TIME);
        must("backfill", BOOL);
        sourcePosition(false);
        must("data", TEXT);
    }

    private void summaries() {
        must("summary", TEXT);
        must("account", TEXT);
        must(EVENT_TIME, TIME);
        must("window_end", TIME);
        must("told_time", TIME);
        must(REVISION, LONG);
        must("policy", TEXT);
        must("policy_version", INT);
        must("currency", TEXT);
        must("result", TEXT);
        sourcePosition(true);
    }

    private void sourcePosition(boolean always) {
        columns.add(field("source_topic_id", TEXT, always));
        columns.add(field("source_partition", INT, always));
        columns.add(field("source_offset", LONG, always));
    }

    private void rules(String name) {
        Types.StructType hit = Types.StructType.of(
                field("rule", TEXT, true),
                field("score", INT, true),
                field("reason", TEXT, false),
                field("values", TEXT, false));
        may(name, Types.ListType.ofRequired(nextId(), hit));
    }

    private void must(String name, Type type) {
        columns.add(field(name, type, true));
    }

    private void may(String name, Type type) {
        columns.add(field(name, type, false));
    }

    private Types.NestedField field(String name, Type type, boolean always) {
        return always ? required(nextId(), name, type) : optional(nextId(), name, type);
    }

    private int nextId() {
        return ++lastId;
    }
}
