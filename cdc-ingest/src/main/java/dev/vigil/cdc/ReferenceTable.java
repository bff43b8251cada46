package dev.vigil.cdc;

import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows are what is known of an account: each change replaces what was known, a delete removes it.
 *
 * <p>Every change has an identity of its own, key and log position, snapshot rows too: a second snapshot must not be
 * mistaken for the first. The row that was published last is remembered, so that a change can take back what it replaces
 * although the database does not log the old row.
 *
 * @param name of the reference, as the policy declares it
 * @param account column of the account
 * @param time column of the time from which the row holds; null: when it was committed
 * @param fields column by field of the reference
 */
public record ReferenceTable(
        String table,
        String name,
        List<String> id,
        AccountSource.Column account,
        @Nullable String time,
        Map<String, String> fields)
        implements TableMapping {

    public ReferenceTable {
        id = List.copyOf(id);
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    @Override
    public Set<String> columns() {
        Set<String> columns = new LinkedHashSet<>(id);
        columns.add(account.column());
        if (time != null) {
            columns.add(time);
        }
        columns.addAll(fields.values());
        return columns;
    }

    @Override
    public MappedRow map(RowChange change, String source, References references) {
        return switch (change.operation()) {
            case SNAPSHOT, INSERT, UPDATE -> present(change, source, references);
            case DELETE -> gone(change, source, references);
            case TRUNCATE -> new MappedRow.Cleared();
        };
    }

    private MappedRow present(RowChange change, String source, References references) {
        List<RowKey> keys = rowKeys(change);
        Optional<RememberedRow> remembered = references.findAny(keys);
        EventEnvelope row = row(change, source, remembered);
        List<EventEnvelope> events = new ArrayList<>(2);
        String earlier = remembered.map(RememberedRow::link).orElseGet(() -> accountBefore(change));
        if (!earlier.isEmpty() && !earlier.equals(row.subject())) {
            events.add(removal(versionedId(change) + ":moved", change, source, earlier));
        }
        events.add(row);
        return new MappedRow.Published(
                events, MemoryChange.remember(keys, new RememberedRow(row.subject(), row.data())));
    }

    private String accountBefore(RowChange change) {
        Row before = change.before();
        return before == null ? "" : RowReader.usable(before, account.column()).text();
    }

    private EventEnvelope row(RowChange change, String source, Optional<RememberedRow> remembered) {
        Row row = TableMapping.after(change);
        return new EventEnvelope(
                versionedId(change),
                source,
                EventTypes.REFERENCE_PREFIX + name,
                time == null ? change.committedUs() : RowReader.time(row, time),
                RowReader.account(row, account.column()),
                change.operation() == RowChange.Operation.SNAPSHOT,
                RowReader.object(
                        row, fields, remembered.map(RememberedRow::data).orElse(null)));
    }

    private MappedRow gone(RowChange change, String source, References references) {
        List<RowKey> keys = rowKeys(change);
        String lastAccount = references.findAny(keys).map(RememberedRow::link).orElseGet(() -> lastAccount(change));
        return new MappedRow.Published(
                List.of(removal(versionedId(change), change, source, lastAccount)), MemoryChange.forget(keys));
    }

    /**
     * What tells the account that a remembered row is gone, although no change of the row says so.
     *
     * @param change the change of the whole table, or the end of a snapshot that did not find the row
     */
    EventEnvelope removal(RowKey key, RememberedRow row, RowChange change, String source) {
        return removal(key.id() + "@" + change.lsnText() + ":gone", change, source, row.link());
    }

    private EventEnvelope removal(String id, RowChange change, String source, String lastAccount) {
        return new EventEnvelope(
                id, source, EventTypes.REFERENCE_PREFIX + name, change.committedUs(), lastAccount, false, new byte[0]);
    }

    private String versionedId(RowChange change) {
        return rowId(change) + "@" + change.lsnText();
    }

    /** The account of a deleted row that is not remembered, from its key or from the complete old row. */
    private String lastAccount(RowChange change) {
        Row key = change.key();
        if (key != null && key.columns().contains(account.column())) {
            return RowReader.account(key, account.column());
        }
        Row before = change.before();
        if (before != null) {
            return RowReader.account(before, account.column());
        }
        throw new RefusedRowException(
                Reason.MISSING_ACCOUNT,
                account.column() + ": expected the deleted row's account, found it not logged; ALTER TABLE " + table
                        + " REPLICA IDENTITY FULL");
    }
}
