package dev.vigil.cdc;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rows are kept for others to look their account up in; nothing of them is published. A row whose account is null counts as
 * one that is not there yet.
 *
 * @param name what the rows are, as in {@code card}
 */
public record LookupTable(String table, String name, List<String> id, AccountSource account) implements TableMapping {

    public LookupTable {
        id = List.copyOf(id);
    }

    @Override
    public Set<String> columns() {
        Set<String> columns = new LinkedHashSet<>(id);
        columns.addAll(account.columns());
        return columns;
    }

    @Override
    public MappedRow map(RowChange change, String source, References references) {
        if (change.operation() == RowChange.Operation.TRUNCATE) {
            return new MappedRow.Cleared();
        }
        List<RowKey> keys = rowKeys(change);
        if (change.operation() == RowChange.Operation.DELETE) {
            return new MappedRow.Published(List.of(), MemoryChange.forget(keys));
        }
        Optional<String> link = link(TableMapping.after(change));
        return new MappedRow.Published(
                List.of(),
                link.map(text -> MemoryChange.remember(keys, new RememberedRow(text, new byte[0])))
                        .orElseGet(() -> MemoryChange.forget(keys)));
    }

    private Optional<String> link(Row row) {
        for (String column : account.columns()) {
            ColumnValue value = row.column(column);
            if (!(value instanceof ColumnValue.Card)
                    && RowReader.usable(row, column).text().isEmpty()) {
                return Optional.empty();
            }
        }
        return Optional.of(
                account instanceof AccountSource.Column column
                        ? RowReader.account(row, column.column())
                        : RowReader.names(row, account.columns()).get(0));
    }
}
