package dev.vigil.cdc;

import java.util.List;

/** The columns of a row, in the table's order. */
public interface Row {

    List<String> columns();

    /** The column's value; {@link ColumnValue.Unusable} if the row has no such column. */
    ColumnValue column(String name);
}
