package dev.vigil.cdc.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.postgres.SourceFacts;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RowChangesTest {

    private static final Schema MESSAGE = SchemaBuilder.struct()
            .field("prefix", Schema.STRING_SCHEMA)
            .field("content", Schema.BYTES_SCHEMA)
            .build();
    private static final Schema VALUE = SchemaBuilder.struct()
            .field("op", Schema.STRING_SCHEMA)
            .field("message", MESSAGE)
            .build();
    private static final Schema SOURCE = SchemaBuilder.struct()
            .field("schema", Schema.STRING_SCHEMA)
            .field("table", Schema.STRING_SCHEMA)
            .field("lsn", Schema.OPTIONAL_INT64_SCHEMA)
            .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
            .field("ts_us", Schema.OPTIONAL_INT64_SCHEMA)
            .build();
    private static final Schema ROW =
            SchemaBuilder.struct().optional().field("id", Schema.INT64_SCHEMA).build();
    private static final Schema CHANGE = SchemaBuilder.struct()
            .field("op", Schema.STRING_SCHEMA)
            .field("before", ROW)
            .field("after", ROW)
            .field("source", SOURCE)
            .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
            .build();
    private static final long HOUR_AGO_US = 1_767_265_200_000_000L;
    private static final long NOW_MS = 1_767_268_800_000L;

    private final RowChanges rows = new RowChanges(SourceFacts.of(Map.of(), Set.of(), ""));

    @Test
    void shouldTakeATombstoneForNoChange() {
        SourceRecord tombstone = record(Schema.STRING_SCHEMA, null);

        assertThat(rows.read(tombstone)).isEmpty();
        assertThat(rows.heartbeatUs(tombstone)).isEmpty();
    }

    @Test
    void shouldReadTheDatabasesTimeFromOurHeartbeatsOnly() {
        assertThat(rows.heartbeatUs(message("vigil-heartbeat", "1767268800000000")))
                .hasValue(1_767_268_800_000_000L);
        assertThat(rows.heartbeatUs(message("someone-else", "1767268800000000")))
                .isEmpty();
        assertThat(rows.heartbeatUs(message("vigil-heartbeat", "soon"))).isEmpty();
        assertThat(rows.read(message("vigil-heartbeat", "1"))).isEmpty();
    }

    /** The envelope's own time says when it was processed. */
    @Test
    void shouldTakeTheTimeOfTheCommitAndNeverThatOfTheEnvelope() {
        assertThat(committedUs("c", HOUR_AGO_US)).isEqualTo(HOUR_AGO_US);
        assertThat(committedUs("r", HOUR_AGO_US)).isEqualTo(HOUR_AGO_US);
        assertThat(committedUs("r", 0L)).isZero();
        assertThat(committedUs("c", null)).isZero();
    }

    private long committedUs(String operation, @Nullable Long sourceUs) {
        Struct source = new Struct(SOURCE)
                .put("schema", "public")
                .put("table", "t")
                .put("lsn", 1L)
                .put("ts_ms", sourceUs == null ? null : (Long) (sourceUs / 1_000))
                .put("ts_us", sourceUs);
        Struct value = new Struct(CHANGE)
                .put("op", operation)
                .put("after", new Struct(ROW).put("id", 1L))
                .put("source", source)
                .put("ts_ms", NOW_MS);
        return rows.read(record(CHANGE, value)).orElseThrow().committedUs();
    }

    private static SourceRecord message(String prefix, String content) {
        Struct value = new Struct(VALUE)
                .put("op", "m")
                .put("message", new Struct(MESSAGE).put("prefix", prefix).put("content", content.getBytes(UTF_8)));
        return record(VALUE, value);
    }

    private static SourceRecord record(Schema schema, Object value) {
        return new SourceRecord(Map.of("server", "vigil"), Map.of("lsn", 1L), "topic", schema, value);
    }
}
