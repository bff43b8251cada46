package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.ColumnValue;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.junit.jupiter.api.Test;

final class MySqlValuesTest {

    private static Schema of(SchemaBuilder builder, String type, String length) {
        return builder.parameter("__debezium.source.column.type", type)
                .parameter("__debezium.source.column.length", length)
                .build();
    }

    @Test
    void shouldTakeATinyintOfOneForABooleanAndRefuseOtherNumbersInIt() {
        Schema flag = of(SchemaBuilder.int16(), "TINYINT", "1");
        Schema number = of(SchemaBuilder.int16(), "TINYINT", "4");

        assertThat(MySqlValues.of(flag, (short) 1)).isEqualTo(new ColumnValue.Flag(true));
        assertThat(MySqlValues.of(flag, (short) 0)).isEqualTo(new ColumnValue.Flag(false));
        assertThat(MySqlValues.of(flag, (short) 2).problem())
                .hasValueSatisfying(problem -> assertThat(problem.found()).contains("found 2"));
        assertThat(MySqlValues.of(number, (short) 1)).isEqualTo(new ColumnValue.Whole(1));
        assertThat(MySqlValues.of(flag, null)).isEqualTo(new ColumnValue.Null());
    }

    @Test
    void shouldKeepEveryDigit() {
        assertThat(MySqlValues.of(Decimal.schema(0), new BigDecimal("18446744073709551615")))
                .isEqualTo(new ColumnValue.Decimal("18446744073709551615"));
        assertThat(MySqlValues.of(of(SchemaBuilder.string(), "DECIMAL UNSIGNED", "12"), "57.10"))
                .isEqualTo(new ColumnValue.Decimal("57.10"));
        assertThat(MySqlValues.of(of(SchemaBuilder.string(), "VARCHAR", "12"), "57.10"))
                .isEqualTo(new ColumnValue.Text("57.10"));
    }

    @Test
    void shouldGiveJsonTheSameFormWhereverItComesFrom() {
        Schema json = SchemaBuilder.string().name("io.debezium.data.Json").build();

        assertThat(MySqlValues.of(json, "{\"a\": 1, \"b\": [1.10, null]}"))
                .isEqualTo(MySqlValues.of(json, "{\"a\":1,\"b\":[1.1,null]}"))
                .isEqualTo(new ColumnValue.Text("{\"a\":1,\"b\":[1.1,null]}"));
        assertThat(MySqlValues.of(json, "{").problem()).isPresent();
    }

    @Test
    void shouldNotTakeAZeroDateOfANeverNullColumnForADate() {
        assertThat(MySqlTimeConverter.days(null, true)).isNull();
        assertThat(MySqlTimeConverter.timeUs(null, true)).isNull();
        assertThat(MySqlTimeConverter.zoned(null, true)).isNull();
        assertOutOfRange("io.debezium.time.Date", SchemaBuilder.int32(), MySqlTimeConverter.days(null, false));
        assertOutOfRange(
                "io.debezium.time.MicroTimestamp", SchemaBuilder.int64(), MySqlTimeConverter.timeUs(null, false));
        assertOutOfRange(
                "io.debezium.time.ZonedTimestamp", SchemaBuilder.string(), MySqlTimeConverter.zoned(null, false));
    }

    private static void assertOutOfRange(String name, SchemaBuilder builder, Object value) {
        assertThat(MySqlValues.of(builder.name(name).build(), value).problem())
                .hasValueSatisfying(
                        problem -> assertThat(problem.reason().code()).isEqualTo("time_out_of_range"));
    }

    /** Half past two did not exist in Berlin on that day; the driver made half past three of it. */
    @Test
    void shouldRefuseATimeThatTheJvmsZoneMayHaveShifted() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        for (String shifted : List.of("2024-03-31T03:00:00", "2024-03-31T03:59:59.999")) {
            assertThat(MySqlTimeConverter.mayBeShifted(in(berlin, shifted), berlin))
                    .isTrue();
            assertThat(MySqlTimeConverter.mayBeShifted(in(ZoneOffset.UTC, shifted), ZoneOffset.UTC))
                    .isFalse();
        }
        for (String sure : List.of("2024-03-31T01:59:59", "2024-03-31T04:00:00", "2024-10-27T02:30:00")) {
            assertThat(MySqlTimeConverter.mayBeShifted(in(berlin, sure), berlin))
                    .isFalse();
        }
        Timestamp leftOut = Timestamp.valueOf("1582-10-10 12:00:00");
        assertThat(MySqlTimeConverter.mayBeShifted(leftOut, ZoneId.systemDefault()))
                .isTrue();
    }

    private static Timestamp in(ZoneId zone, String local) {
        return Timestamp.from(LocalDateTime.parse(local).atZone(zone).toInstant());
    }

    @Test
    void shouldReadTimesOfYearsFarAway() {
        assertThat(MySqlTimeConverter.timeUs(LocalDateTime.parse("9999-12-31T23:59:59.999999"), false))
                .isEqualTo(253_402_300_799_999_999L);
        assertThat(MySqlTimeConverter.timeUs(LocalDateTime.parse("1000-01-01T00:00:00.000001"), false))
                .isEqualTo(-30_610_224_000_000_000L + 1);
    }

    @Test
    void shouldRefuseTheYearZero() {
        Schema year = SchemaBuilder.int32().name("io.debezium.time.Year").build();

        assertThat(MySqlValues.of(year, 2024)).isEqualTo(new ColumnValue.Whole(2024));
        assertThat(MySqlValues.of(year, 1900).problem()).isPresent();
    }

    @Test
    void shouldReadTimesOfSnapshotAndLogAlike() {
        LocalDateTime local = LocalDateTime.parse("2024-03-31T02:30:00.123456");
        ZonedDateTime zoned = local.atZone(ZoneOffset.ofHours(2));

        assertThat(MySqlTimeConverter.timeUs(local, false)).isEqualTo(1_711_852_200_123_456L);
        assertThat(MySqlTimeConverter.timeUs(Timestamp.valueOf(LocalDateTime.parse("2024-01-31T02:30:00")), false))
                .isEqualTo(1_706_668_200_000_000L);
        assertThat(MySqlTimeConverter.days(LocalDate.of(2024, 2, 29), false))
                .isEqualTo(MySqlTimeConverter.days(java.sql.Date.valueOf("2024-02-29"), false))
                .isEqualTo(19_782);
        assertThat(MySqlTimeConverter.zoned(zoned, false))
                .isEqualTo(MySqlTimeConverter.zoned(zoned.toOffsetDateTime(), false))
                .isEqualTo("2024-03-31T00:30:00.123456Z");
    }
}
