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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows are what is known of an account: each change replaces what was known, a delete removes it.
 *
 * <p>Every change has an identity of its own, key and log position, snapshot rows too: a second snapshot must not be
 * mistaken for the first.
 *
 * @param name of the reference, as the policy declares it
 * @param time column of the time from which the row holds; null: when it was committed
 * @param fields column by field of the reference
 */
public record ReferenceTable(
        String table,
        String name,
        List<String> id,
        String account,
        @Nullable String time,
        Map<String, String> fields) implements TableMapping {

    public ReferenceTable {
        id = List.copyOf(id);
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    @Override
    public Set<String> columns() {
        Set<String> columns = new LinkedHashSet<>(id);
        columns.add(account);
        if (time != null) {
            columns.add(time);
        }
        columns.addAll(fields.values());
        return columns;
    }

    @Override
    public MappedRow map(RowChange change, String source) {
        return switch (change.operation()) {
            case SNAPSHOT, INSERT -> new MappedRow.Published(List.of(row(change, source)));
            case UPDATE -> new MappedRow.Published(updated(change, source));
            case DELETE ->
                new MappedRow.Published(List.of(gone(versionedId(change), change, source, lastAccount(change))));
            case TRUNCATE -> new MappedRow.Skipped("truncate of a reference table: the accounts keep their last rows");
        };
    }

    private List<EventEnvelope> updated(RowChange change, String source) {
        List<EventEnvelope> events = new ArrayList<>(2);
        EventEnvelope row = row(change, source);
        Row before = change.before();
        if (before != null) {
            String earlier = RowReader.usable(before, account).text();
            if (!earlier.isEmpty() && !earlier.equals(row.subject())) {
                events.add(gone(versionedId(change) + ":moved", change, source, earlier));
            }
        }
        events.add(row);
        return events;
    }

    private EventEnvelope row(RowChange change, String source) {
        Row row = TableMapping.after(change);
        return new EventEnvelope(
                versionedId(change),
                source,
                EventTypes.REFERENCE_PREFIX + name,
                time == null ? change.committedUs() : RowReader.time(row, time),
                RowReader.account(row, account),
                change.operation() == RowChange.Operation.SNAPSHOT,
                RowReader.object(row, fields));
    }

    private EventEnvelope gone(String id, RowChange change, String source, String lastAccount) {
        return new EventEnvelope(
                id, source, EventTypes.REFERENCE_PREFIX + name, change.committedUs(), lastAccount, false, new byte[0]);
    }

    private String versionedId(RowChange change) {
        return rowId(change) + "@" + change.lsnText();
    }

    /** The account of a deleted row, from its key or from the complete old row; nothing else tells it for sure. */
    private String lastAccount(RowChange change) {
        Row key = change.key();
        if (key != null && key.columns().contains(account)) {
            return RowReader.account(key, account);
        }
        Row before = change.before();
        if (before != null) {
            return RowReader.account(before, account);
        }
        throw new RefusedRowException(
                Reason.MISSING_ACCOUNT,
                account + ": expected the deleted row's account, found it not logged; ALTER TABLE " + table
                        + " REPLICA IDENTITY FULL");
    }
}
