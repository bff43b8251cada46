package dev.vigil.cdc;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Rows say what became known of an earlier event. An update is a new label for the same event; a row without a value
 * says nothing yet; a delete takes nothing back.
 *
 * @param label name of the label, as in {@code fraud}
 * @param eventSource CloudEvents source of the labelled events
 * @param eventId columns that hold the labelled event's identity
 * @param value column with what became known
 */
public record LabelTable(
        String table,
        String label,
        String eventSource,
        List<String> id,
        List<String> eventId,
        AccountSource account,
        String value,
        String time)
        implements TableMapping {

    public LabelTable {
        id = List.copyOf(id);
        eventId = List.copyOf(eventId);
    }

    @Override
    public Set<String> columns() {
        Set<String> columns = new LinkedHashSet<>(id);
        columns.addAll(eventId);
        columns.addAll(account.columns());
        columns.addAll(List.of(value, time));
        return columns;
    }

    @Override
    public MappedRow map(RowChange change, String source, References references) {
        return switch (change.operation()) {
            case SNAPSHOT, INSERT -> label(change, source, rowId(change), references);
            case UPDATE -> label(change, source, rowId(change) + "@" + change.lsnText(), references);
            case DELETE, TRUNCATE -> new MappedRow.Skipped(change.operation().label() + " of a label's row");
        };
    }

    private MappedRow label(RowChange change, String source, String id, References references) {
        Row row = TableMapping.after(change);
        ColumnValue known = RowReader.usable(row, value);
        if (known instanceof ColumnValue.Null) {
            return new MappedRow.Skipped("label without a value");
        }
        String labelled = RowReader.identity(row, eventId);
        byte[] data = RowReader.json(json -> {
            json.writeStringField("event_source", eventSource);
            json.writeStringField("event_id", labelled);
            json.writeStringField("label", label);
            json.writeFieldName("value");
            known.write(json);
        });
        return MappedRow.Published.of(new EventEnvelope(
                id,
                source,
                EventTypes.LABEL,
                RowReader.time(row, time),
                AccountResolver.account(row, account, references),
                change.operation() == RowChange.Operation.SNAPSHOT,
                data));
    }
}
