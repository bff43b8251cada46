package dev.vigil.lakehouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ColumnTypeTest {
    private static final long NOON_US = Instant.parse("2024-06-01T10:00:00Z").toEpochMilli() * 1_000;

    @Test
    void shouldKeepMoneyExactAtTheCurrencysDigits() {
        assertThat(money(2).fit(new BigDecimal("57.1"))).isEqualTo(new BigDecimal("57.10"));
        assertThat(money(2).fit(-5)).isEqualTo(new BigDecimal("-5.00"));
        assertThat(money(0).fit(5000)).isEqualTo(new BigDecimal("5000"));
        assertThat(money(3).fit(new BigDecimal("1.234"))).isEqualTo(new BigDecimal("1.234"));
    }

    @Test
    void shouldRefuseMoneyThatWouldLoseDigits() {
        assertThat(money(2).fit(new BigDecimal("57.165"))).isNull();
        assertThat(money(2).fit("57.16")).isNull();
        assertThat(money(2).fit(new BigDecimal("1e40"))).isNull();
        assertThat(money(2).fit(new BigDecimal("1e-999999999"))).isNull();
        assertThat(money(2).fit(new BigDecimal("1e999999999"))).isNull();
    }

    @Test
    void shouldReadTimestampsAsTheSameInstantWhateverTheirOffset() {
        assertThat(type(FieldType.TIMESTAMP).fit("2024-06-01T12:00:00+02:00")).isEqualTo(NOON_US);
        assertThat(type(FieldType.TIMESTAMP).fit("2024-06-01T10:00:00Z")).isEqualTo(NOON_US);
        assertThat(type(FieldType.TIMESTAMP).fit(NOON_US)).isEqualTo(NOON_US);
    }

    @Test
    void shouldRefuseATimestampWithoutZoneOrOutOfRange() {
        assertThat(type(FieldType.TIMESTAMP).fit("2024-06-01T12:00:00")).isNull();
        assertThat(type(FieldType.TIMESTAMP).fit("soon")).isNull();
        assertThat(type(FieldType.TIMESTAMP).fit(Long.MAX_VALUE)).isNull();
    }

    @Test
    void shouldTakeOnlyWholeNumbersOfSixtyFourBitsAsLong() {
        assertThat(type(FieldType.LONG).fit(new BigDecimal("5.0"))).isEqualTo(5L);
        assertThat(type(FieldType.LONG).fit(new BigDecimal("5.5"))).isNull();
        assertThat(type(FieldType.LONG).fit(BigInteger.TWO.pow(63))).isNull();
        assertThat(type(FieldType.LONG).fit("5")).isNull();
        assertThat(type(FieldType.LONG).fit(new BigDecimal("1e999999999"))).isNull();
    }

    @Test
    void shouldTakeNumbersAndTheTextsOfNonNumbersAsDouble() {
        assertThat(type(FieldType.DOUBLE).fit(5)).isEqualTo(5.0);
        assertThat(type(FieldType.DOUBLE).fit("NaN")).isEqualTo(Double.NaN);
        assertThat(type(FieldType.DOUBLE).fit(new BigDecimal("1e400"))).isNull();
        assertThat(type(FieldType.DOUBLE).fit(true)).isNull();
    }

    @Test
    void shouldInferOnlyWhatAValueAloneCanTell() {
        assertThat(ColumnType.infer("a")).isEqualTo(type(FieldType.STRING));
        assertThat(ColumnType.infer(true)).isEqualTo(type(FieldType.BOOL));
        assertThat(ColumnType.infer(5)).isEqualTo(type(FieldType.LONG));
        assertThat(ColumnType.infer(new BigDecimal("5.0"))).isEqualTo(type(FieldType.DOUBLE));
        assertThat(ColumnType.infer(List.of(1))).isNull();
        assertThat(ColumnType.infer(Map.of())).isNull();
    }

    private static ColumnType type(FieldType type) {
        return new ColumnType(type, 0);
    }

    private static ColumnType money(int digits) {
        return new ColumnType(FieldType.MONEY, digits);
    }
}
