package dev.vigil.cdc.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.ColumnKind;
import dev.vigil.cdc.DeclaredColumns.Column;
import dev.vigil.event.FieldType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MySqlTableTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tinyint | WHOLE",
                "tinyint(1) | BOOLEAN",
                "tinyint unsigned | WHOLE",
                "bit(1) | BOOLEAN",
                "int unsigned zerofill | WHOLE",
                "bigint | WHOLE",
                "bigint unsigned | DECIMAL",
                "decimal(12,2) unsigned | DECIMAL",
                "double | FLOATING",
                "year | WHOLE",
                "date | DATE",
                "datetime(6) | TIMESTAMP",
                "timestamp | TIMESTAMP",
                "time(3) | TEXT",
                "varchar(20) | TEXT",
                "enum('a','b c') | TEXT",
                "set('tinyint(1)') | TEXT",
                "json | TEXT",
                "varbinary(16) | TEXT"
            })
    void shouldKnowWhatAColumnHolds(String type, ColumnKind kind) {
        assertThat(MySqlTable.column(type, 2).kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bit(8)", "point", "geometry", "multipolygon", "vector(4)"})
    void shouldKnowWhatNoFieldCanHold(String type) {
        assertThat(MySqlTable.column(type, -1).kind()).isNull();
    }

    @Test
    void shouldLetWholeNumbersBeyond63BitsBecomeLongsThatAreCheckedRowByRow() {
        Column unsigned = MySqlTable.column("bigint unsigned", 0);
        Column money = MySqlTable.column("decimal(12,2)", 2);

        assertThat(unsigned.scale()).isZero();
        assertThat(unsigned.kind().canBecome(FieldType.LONG, unsigned.scale())).isTrue();
        assertThat(money.kind().canBecome(FieldType.LONG, money.scale())).isFalse();
        assertThat(money.kind().canBecome(FieldType.MONEY, money.scale())).isTrue();
    }
}
