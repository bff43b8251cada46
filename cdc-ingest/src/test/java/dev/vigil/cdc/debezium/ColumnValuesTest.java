package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.ColumnValue;
import dev.vigil.event.DeadLetter.Reason;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ColumnValuesTest {

    @ParameterizedTest
    @CsvSource({
        "io.debezium.time.Timestamp, 1704067200000",
        "io.debezium.time.MicroTimestamp, 1704067200000000",
        "io.debezium.time.NanoTimestamp, 1704067200000000000",
    })
    void shouldTakeTheUnitOfATimeFromTheSchemasName(String name, long value) {
        Schema schema = SchemaBuilder.int64().name(name).build();

        assertThat(ColumnValues.of(schema, value, Set.of())).isEqualTo(new ColumnValue.Time(1_704_067_200_000_000L));
    }

    @Test
    void shouldReadTimesThatAreNotCounted() {
        assertThat(ColumnValues.of(
                        SchemaBuilder.int32().name("io.debezium.time.Date").build(), 19_723, Set.of()))
                .isEqualTo(new ColumnValue.Time(1_704_067_200_000_000L));
        assertThat(zoned("2024-01-01T01:00:00.000001+01:00")).isEqualTo(new ColumnValue.Time(1_704_067_200_000_001L));
        assertThat(ColumnValues.of(
                        SchemaBuilder.int64().name("io.debezium.time.MicroTime").build(), 86_400_000_000L, Set.of()))
                .isEqualTo(new ColumnValue.Text("24:00:00"));
        assertThat(ColumnValues.of(
                        SchemaBuilder.int32().name("io.debezium.time.Time").build(), 3_661_001, Set.of()))
                .isEqualTo(new ColumnValue.Text("01:01:01.001000"));
    }

    @ParameterizedTest
    @CsvSource({"infinity", "-infinity", "+10000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"})
    void shouldRefuseTimesOutOfRange(String text) {
        assertThat(zoned(text).problem())
                .hasValueSatisfying(problem -> assertThat(problem.reason()).isEqualTo(Reason.TIME_OUT_OF_RANGE));
    }

    @ParameterizedTest
    @CsvSource({
        "io.debezium.time.MicroTimestamp, 9223371331200000000",
        "io.debezium.time.Timestamp, 9223372036825200000"
    })
    void shouldRefuseWhatStandsForInfinity(String name, long value) {
        Schema schema = SchemaBuilder.int64().name(name).build();

        assertThat(ColumnValues.of(schema, value, Set.of()).problem()).isPresent();
    }

    @Test
    void shouldTellNumericFromTextByTheColumnsType() {
        Schema text = SchemaBuilder.string()
                .parameter("__debezium.source.column.type", "TEXT")
                .build();
        Schema numeric = SchemaBuilder.string()
                .parameter("__debezium.source.column.type", "NUMERIC")
                .build();

        assertThat(ColumnValues.of(text, "NAN", Set.of())).isEqualTo(new ColumnValue.Text("NAN"));
        assertThat(ColumnValues.of(numeric, "-0.01", Set.of())).isEqualTo(new ColumnValue.Decimal("-0.01"));
        assertThat(ColumnValues.of(numeric, "NAN", Set.of()).problem()).isPresent();
        assertThat(ColumnValues.of(numeric, "-0.01", Set.of()).problem()).isEmpty();
    }

    @Test
    void shouldShowAFloatAsTheDatabaseDoes() {
        assertThat(ColumnValues.of(Schema.FLOAT32_SCHEMA, 0.1f, Set.of())).isEqualTo(new ColumnValue.Floating(0.1));
    }

    @Test
    void shouldNeverTakeThePlaceholderForText() {
        assertThat(ColumnValues.of(Schema.STRING_SCHEMA, ColumnValues.UNCHANGED_PLACEHOLDER, Set.of())
                        .problem())
                .hasValueSatisfying(problem -> assertThat(problem.reason()).isEqualTo(Reason.BAD_FIELD));
    }

    private static ColumnValue zoned(String text) {
        return ColumnValues.of(
                SchemaBuilder.string().name("io.debezium.time.ZonedTimestamp").build(), text, Set.of());
    }
}
