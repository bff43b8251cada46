package dev.vigil.lakehouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.FieldType;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StructColumnsTest {
    private static final ColumnType LONG = new ColumnType(FieldType.LONG, 0);
    private static final ColumnType TEXT = new ColumnType(FieldType.STRING, 0);
    private static final ColumnType EURO = new ColumnType(FieldType.MONEY, 2);
    private static final ColumnType YEN = new ColumnType(FieldType.MONEY, 0);

    @Test
    void shouldAddOnlyWhatIsNotThere() {
        StructColumns columns = new StructColumns(Map.of("count", LONG));

        assertThat(columns.missing(Map.of("count", LONG))).isEmpty();
        assertThat(columns.missing(Map.of("count", LONG, "merchant", TEXT))).isEqualTo(Map.of("merchant", TEXT));
    }

    @Test
    void shouldGiveANameAnotherColumnWhereItsTypeChanged() {
        StructColumns columns = new StructColumns(Map.of("amount", EURO));
        assertThat(columns.missing(Map.of("amount", YEN))).isEqualTo(Map.of("amount__money0", YEN));

        StructColumns grown = new StructColumns(Map.of("amount", EURO, "amount__money0", YEN));
        assertThat(grown.missing(Map.of("amount", YEN))).isEmpty();
        assertThat(grown.columnFor("amount", EURO)).isEqualTo("amount");
        assertThat(grown.columnFor("amount", YEN)).isEqualTo("amount__money0");
        assertThat(StructColumns.valueName("amount__money0", YEN)).isEqualTo("amount");
        assertThat(StructColumns.valueName("amount", EURO)).isEqualTo("amount");
    }

    @Test
    void shouldRefuseNamesThatQueryEnginesWouldTakeForTheSame() {
        StructColumns columns = new StructColumns(Map.of("amount", EURO));

        assertThat(columns.missing(Map.of("Amount", EURO))).isEmpty();
        assertThat(columns.isFree("AMOUNT")).isFalse();
    }

    @Test
    void shouldRefuseNamesThatAreNoPlainIdentifier() {
        StructColumns columns = new StructColumns(Map.of());

        assertThat(columns.missing(Map.of("a.b", TEXT, "", TEXT, "x\"y", TEXT, "é", TEXT)))
                .isEmpty();
    }

    @Test
    void shouldNotGrowWithoutBound() {
        Map<String, ColumnType> all = new LinkedHashMap<>();
        for (int i = 0; i < StructColumns.MAX_COLUMNS; i++) {
            all.put("column_" + i, LONG);
        }

        assertThat(new StructColumns(all).missing(Map.of("one_more", LONG))).isEmpty();
    }

    @Test
    void shouldFindTheColumnThatTakesAnUndeclaredValue() {
        StructColumns columns = new StructColumns(Map.of("amount", EURO, "amount__string", TEXT));

        assertThat(columns.columnTaking("amount", new BigDecimal("5.20"))).isEqualTo("amount");
        assertThat(columns.columnTaking("amount", "five")).isEqualTo("amount__string");
        assertThat(columns.columnTaking("amount", true)).isNull();
    }
}
