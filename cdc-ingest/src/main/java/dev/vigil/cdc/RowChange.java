package dev.vigil.cdc;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One change of one row, as the database committed it.
 *
 * @param table {@code schema.table}
 * @param key the primary key of the row (of the new row, except for a delete); null for a table without one
 * @param before the complete row before the change; null where the database does not log it
 * @param after the row after the change; null for a delete
 * @param lsn position of the change in the database's log; for a snapshot row that of the snapshot. The same after a
 *     restart
 * @param committedUs when the database committed it, µs since the epoch; for a snapshot row when it was read
 */
public record RowChange(
        Operation operation,
        String table,
        @Nullable Row key,
        @Nullable Row before,
        @Nullable Row after,
        long lsn,
        long committedUs) {

    /** What happened to the row. */
    public enum Operation {
        /** The row was there when capture began. */
        SNAPSHOT,
        INSERT,
        UPDATE,
        DELETE,
        /** Every row of the table went at once; there is no row to look at. */
        TRUNCATE;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The same change without columns of no use; the key stays whole. */
    RowChange reducedTo(Set<String> columns) {
        return new RowChange(
                operation,
                table,
                key,
                RowChangeCodec.reduced(before, columns),
                RowChangeCodec.reduced(after, columns),
                lsn,
                committedUs);
    }

    /** The position as PostgreSQL prints it, {@code 0/16B3748}. */
    String lsnText() {
        return Lsns.format(lsn);
    }
}
