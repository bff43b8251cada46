package dev.vigil.lakehouse.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.FieldType;
import dev.vigil.event.ScoredEvent;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.TableSink;
import dev.vigil.lakehouse.TestRecords;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns of fields and features follow the policies; field cases E15 and E16. */
class EvolvingTableTest {
    @TempDir
    Path dataDir;

    private SinkHarness harness;
    private long offset;

    @BeforeEach
    void start() {
        harness = new SinkHarness(HistoryTable.SCORED_EVENTS, dataDir);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    /** As they were before corrections; their rows had revision 0. */
    @Test
    void shouldTakeOverATableWhoseRevisionsAreInts() {
        append(Map.of("amount", new BigDecimal("1.00")), Map.of());
        harness.drain(harness.newSink());
        Table old = harness.load();
        String revisionId = Integer.toString(old.schema().findField("revision").fieldId());
        Schema ints = new Schema(old.schema().columns().stream()
                .map(column -> Integer.toString(column.fieldId()).equals(revisionId)
                        ? Types.NestedField.required(column.fieldId(), "revision", Types.IntegerType.get())
                        : column)
                .toList());
        TableMetadata metadata = ((HasTableOperations) old).operations().current();
        ((HasTableOperations) old)
                .operations()
                .commit(
                        metadata,
                        TableMetadata.buildFrom(metadata)
                                .setCurrentSchema(ints, metadata.lastColumnId())
                                .build());
        assertThat(harness.load().schema().findType("revision")).isEqualTo(Types.IntegerType.get());
        append(Map.of("amount", new BigDecimal("2.00")), Map.of());
        harness.drain(harness.newSink());
        assertThat(harness.row("SELECT count(*), sum(revision) FROM scored_events"))
                .hasToString("[2, 0]");
        assertThat(harness.load().schema().findType("revision")).isEqualTo(Types.LongType.get());
    }

    @Test
    void shouldTypeColumnsAsThePolicyDeclaresThem() {
        harness.topic.append(
                0,
                TestRecords.schema(
                        1,
                        Map.of("amount", FieldType.MONEY, "merchant", FieldType.STRING, "opened", FieldType.TIMESTAMP),
                        Map.of("n", FieldType.LONG, "ratio", FieldType.DOUBLE, "night", FieldType.BOOL)));
        append(
                Map.of("amount", new BigDecimal("57.1"), "merchant", "Café", "opened", 1_717_236_000_000_000L),
                Map.of("n", 3, "ratio", new BigDecimal("0.25"), "night", true));
        harness.drain(harness.newSink());

        assertThat(harness.row("SELECT fields.amount, fields.merchant, fields.opened, features.n, features.ratio,"
                        + " features.night, misfits FROM scored_events"))
                .usingRecursiveComparison()
                .isEqualTo(java.util.Arrays.asList(
                        new BigDecimal("57.10"), "Café", Instant.parse("2024-06-01T10:00:00Z"), 3L, 0.25, true, null));
        assertThat(harness.query("SELECT fields.amount, fields.opened FROM scored_events")
                        .columns())
                .extracting("type")
                .containsExactly("DECIMAL(38,2)", "TIMESTAMP WITH TIME ZONE");
    }

    @Test
    void shouldKeepTheFirstValueOfANewColumnAfterAbsentAndNullOnes() {
        append(Map.of(), Map.of("a", 1));
        Map<String, Object> nothing = new HashMap<>();
        nothing.put("x", null);
        append(Map.of(), nothing);
        append(Map.of(), Map.of("x", 5));
        append(Map.of(), Map.of("a", 2, "x", 6));
        harness.drain(harness.newSink());

        assertThat(harness.query("SELECT features.a, features.x FROM scored_events ORDER BY source_offset")
                        .rows())
                .containsExactly(
                        java.util.Arrays.asList(1L, null),
                        java.util.Arrays.asList(null, null),
                        java.util.Arrays.asList(null, 5L),
                        java.util.Arrays.asList(2L, 6L));
    }

    @Test
    void shouldReadOldRowsAfterAPolicyAddedRemovedAndRetypedFeatures() {
        harness.topic.append(0, TestRecords.schema(1, Map.of(), Map.of("risk", FieldType.LONG, "old", FieldType.LONG)));
        append(1, Map.of("risk", 1, "old", 7));
        TableSink sink = harness.newSink();
        harness.drain(sink);
        harness.topic.append(
                0, TestRecords.schema(2, Map.of(), Map.of("risk", FieldType.STRING, "new", FieldType.DOUBLE)));
        append(2, Map.of("risk", "high", "new", 8));
        // An event that the old policy scored, behind the new one's schema: another partition activates later.
        append(1, Map.of("risk", 2, "old", 9));
        harness.drain(sink);

        assertThat(harness.query("SELECT features.risk, features.risk__string, features.old, features.new"
                                + " FROM scored_events ORDER BY source_offset")
                        .rows())
                .containsExactly(
                        java.util.Arrays.asList(1L, null, 7L, null),
                        java.util.Arrays.asList(null, "high", null, 8.0),
                        java.util.Arrays.asList(2L, null, 9L, null));
        assertThat(sink.status().misfits()).isZero();
    }

    @Test
    void shouldKnowThePolicysTypesAfterARestartFarBehindItsSchema() {
        harness.topic.append(0, TestRecords.schema(1, Map.of(), Map.of("rare", FieldType.DOUBLE)));
        append(1, Map.of());
        harness.drain(harness.newSink());
        append(1, Map.of("rare", 1));
        harness.drain(harness.newSink());

        assertThat(harness.row("SELECT features.rare FROM scored_events WHERE source_offset = 1"))
                .isEqualTo(List.of(1.0));
    }

    @Test
    void shouldSetAValueThatFitsNoColumnAsideAndGoOn() {
        harness.topic.append(
                0,
                TestRecords.schema(
                        1, Map.of("amount", FieldType.MONEY, "at", FieldType.TIMESTAMP), Map.of("n", FieldType.LONG)));
        append(
                Map.of("amount", new BigDecimal("1.005"), "at", "yesterday", "list", List.of(1, 2)),
                Map.of("n", BigInteger.TWO.pow(70)));
        append(Map.of("amount", new BigDecimal("1.00")), Map.of("n", 1));
        TableSink sink = harness.newSink();
        harness.drain(sink);

        assertThat(harness.query("SELECT fields.amount, features.n, misfits FROM scored_events ORDER BY source_offset")
                        .rows())
                .containsExactly(
                        java.util.Arrays.asList(
                                null,
                                null,
                                Map.of(
                                        "fields.amount",
                                        "1.005",
                                        "fields.at",
                                        "\"yesterday\"",
                                        "fields.list",
                                        "[1,2]",
                                        "features.n",
                                        "1180591620717411303424")),
                        java.util.Arrays.asList(new BigDecimal("1.00"), 1L, null));
        assertThat(sink.status().misfits()).isEqualTo(4);
    }

    @Test
    void shouldStoreTheSameInstantWhateverOffsetItWasWrittenWith() {
        harness.topic.append(0, TestRecords.schema(1, Map.of("at", FieldType.TIMESTAMP), Map.of()));
        append(Map.of("at", "2024-06-01T12:00:00+02:00"), Map.of());
        append(Map.of("at", 1_717_236_000_000_000L), Map.of());
        harness.drain(harness.newSink());

        assertThat(harness.query("SELECT DISTINCT fields.at FROM scored_events").rows())
                .containsExactly(List.of(Instant.parse("2024-06-01T10:00:00Z")));
    }

    @Test
    void shouldKeepEventTimesToTheMicrosecondFarFromToday() {
        long[] times = {
            Instant.parse("0001-01-01T00:00:00Z").getEpochSecond() * 1_000_000,
            -1,
            Instant.parse("9999-12-31T23:59:59Z").getEpochSecond() * 1_000_000 + 999_999
        };
        for (long timeUs : times) {
            harness.topic.append(0, TestRecords.scored(0, offset++, timeUs, Map.of(), Map.of()));
        }
        harness.drain(harness.newSink());

        assertThat(harness.query("SELECT epoch_us(event_time) FROM scored_events ORDER BY source_offset")
                        .rows())
                .containsExactly(List.of(times[0]), List.of(times[1]), List.of(times[2]));
    }

    private void append(int policyVersion, Map<String, Object> features) {
        ScoredEvent event = TestRecords.scored(0, offset, TestRecords.NOON_US, Map.of(), features);
        offset++;
        harness.topic.append(
                0,
                new ScoredEvent(
                        event.eventId(),
                        event.source(),
                        event.type(),
                        event.account(),
                        event.eventTimeUs(),
                        event.ingestTimeMs(),
                        false,
                        0,
                        event.position(),
                        event.policy(),
                        policyVersion,
                        0,
                        event.decision(),
                        Map.of(),
                        features,
                        List.of(),
                        List.of()));
    }

    private void append(Map<String, Object> fields, Map<String, Object> features) {
        harness.topic.append(0, TestRecords.scored(0, offset, TestRecords.NOON_US, fields, features));
        offset++;
    }
}
