package dev.vigil.cdc;

import dev.vigil.event.DeadLetter.Reason;
import java.util.List;
import java.util.Set;

/** What the changes of one table mean. */
public sealed interface TableMapping permits EventTable, ReferenceTable, LabelTable, LookupTable {

    /** {@code schema.table}. */
    String table();

    /** Columns that make the row's identity; empty: the primary key. */
    List<String> id();

    AccountSource account();

    /** Every column that the mapping reads, the primary key aside. */
    Set<String> columns();

    /**
     * The meaning of one change of this table.
     *
     * @param source CloudEvents source of the table's records
     * @param references what is remembered of the rows before this change
     * @throws RefusedRowException if the row cannot become a record
     * @throws MissingReferenceException if the row's account is not known yet
     */
    MappedRow map(RowChange change, String source, References references);

    /** The identity of the changed row, without a version. */
    default String rowId(RowChange change) {
        Row row = identityRow(change);
        return RowReader.identity(row, id().isEmpty() ? row.columns() : id());
    }

    /** What the changed row is remembered by, the key in use first: more than one where {@link RowReader#names} are. */
    default List<RowKey> rowKeys(RowChange change) {
        Row row = identityRow(change);
        return RowReader.names(row, id().isEmpty() ? row.columns() : id()).stream()
                .map(name -> new RowKey(table(), name))
                .toList();
    }

    private Row identityRow(RowChange change) {
        Row after = change.after();
        if (!id().isEmpty() && after != null) {
            return after;
        }
        Row key = change.key();
        if (key == null) {
            throw new RefusedRowException(
                    Reason.MISSING_ID,
                    table() + ": expected a primary key, found none; name the identity's columns with 'id'");
        }
        return key;
    }

    /** The row after the change; only for operations that have one. */
    static Row after(RowChange change) {
        Row after = change.after();
        if (after == null) {
            throw new IllegalArgumentException(change.operation() + " of " + change.table() + " has no new row");
        }
        return after;
    }
}
