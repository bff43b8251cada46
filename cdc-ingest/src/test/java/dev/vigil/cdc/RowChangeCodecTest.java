package dev.vigil.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.DeadLetter.Reason;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RowChangeCodecTest {

    @Test
    void shouldReadBackEveryKindOfValueInTheOrderOfTheColumns() {
        Map<String, ColumnValue> values = new LinkedHashMap<>();
        values.put("z", new ColumnValue.Text("Zoë \"1\""));
        values.put("a", new ColumnValue.Decimal("-57.10"));
        values.put("whole", new ColumnValue.Whole(Long.MIN_VALUE));
        values.put("small", new ColumnValue.Whole(3));
        values.put("real", new ColumnValue.Floating(0.1));
        values.put("nan", new ColumnValue.Floating(Double.NaN));
        values.put("flag", new ColumnValue.Flag(true));
        values.put("time", new ColumnValue.Time(-62_135_596_800_000_000L));
        values.put("bad", new ColumnValue.Unusable(Reason.TIME_OUT_OF_RANGE, "found another"));
        values.put("same", new ColumnValue.Unchanged());
        values.put("null", new ColumnValue.Null());
        RowChange change = new RowChange(
                RowChange.Operation.UPDATE,
                "public.t",
                MapRow.of("id", new ColumnValue.Whole(1)),
                null,
                new MapRow(values),
                0x16B3748L,
                1_767_268_800_000_001L);

        RowChange read = RowChangeCodec.decode(RowChangeCodec.encode(change));

        assertThat(read.operation()).isEqualTo(change.operation());
        assertThat(read.table()).isEqualTo("public.t");
        assertThat(read.lsn()).isEqualTo(change.lsn());
        assertThat(read.committedUs()).isEqualTo(change.committedUs());
        assertThat(read.before()).isNull();
        Row after = TableMapping.after(read);
        assertThat(after.columns()).containsExactlyElementsOf(values.keySet());
        values.forEach((column, value) -> assertThat(after.column(column)).isEqualTo(value));
        assertThat(after.column("none").problem()).isPresent();
    }
}
