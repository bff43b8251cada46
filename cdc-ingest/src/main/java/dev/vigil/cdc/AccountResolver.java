package dev.vigil.cdc;

import dev.vigil.event.DeadLetter.Reason;
import java.util.List;

/** Finds the account of a row. Reads remembered rows only, so that the answer is a function of the position. */
final class AccountResolver {

    private AccountResolver() {}

    /**
     * @throws MissingReferenceException if a row on the way is not known yet
     * @throws RefusedRowException if the row names no account and no other row
     */
    static String account(Row row, AccountSource source, References references) {
        if (source instanceof AccountSource.Column column) {
            return RowReader.account(row, column.column());
        }
        AccountSource.Lookup lookup = (AccountSource.Lookup) source;
        List<RowKey> keys = referenceKeys(row, lookup);
        while (true) {
            RowKey missing = keys.get(0);
            RememberedRow found = references.findAny(keys).orElseThrow(() -> new MissingReferenceException(missing));
            if (!(lookup.next() instanceof AccountSource.Lookup next)) {
                return found.link();
            }
            keys = List.of(new RowKey(next.table(), found.link()));
            lookup = next;
        }
    }

    private static List<RowKey> referenceKeys(Row row, AccountSource.Lookup lookup) {
        for (String column : lookup.by()) {
            if (row.column(column) instanceof ColumnValue.Null) {
                throw new RefusedRowException(
                        Reason.MISSING_ACCOUNT,
                        column + ": expected a " + lookup.name() + " that has the account, found null");
            }
        }
        return RowReader.names(row, lookup.by()).stream()
                .map(name -> new RowKey(lookup.table(), name))
                .toList();
    }
}
