package dev.vigil.cdc;

import dev.vigil.event.EventEnvelope;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Inserted rows are business events. A row found by the snapshot is the same event as its insert would have been, marked
 * as backfill. What happens to the row later is no event: an amount that was scored stays as it was scored.
 *
 * @param type the event's type, as the policy declares it
 * @param fields column by field of the event
 */
public record EventTable(
        String table, String type, List<String> id, AccountSource account, String time, Map<String, String> fields)
        implements TableMapping {

    public EventTable {
        id = List.copyOf(id);
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    @Override
    public Set<String> columns() {
        Set<String> columns = new LinkedHashSet<>(id);
        columns.addAll(account.columns());
        columns.add(time);
        columns.addAll(fields.values());
        return columns;
    }

    @Override
    public MappedRow map(RowChange change, String source, References references) {
        return switch (change.operation()) {
            case SNAPSHOT, INSERT -> MappedRow.Published.of(event(change, source, references));
            case UPDATE, DELETE, TRUNCATE ->
                new MappedRow.Skipped(change.operation().label() + " of an event's row");
        };
    }

    private EventEnvelope event(RowChange change, String source, References references) {
        Row row = TableMapping.after(change);
        boolean backfill = change.operation() == RowChange.Operation.SNAPSHOT;
        return new EventEnvelope(
                rowId(change),
                source,
                type,
                RowReader.time(row, time),
                AccountResolver.account(row, account, references),
                backfill,
                RowReader.object(row, fields));
    }
}
