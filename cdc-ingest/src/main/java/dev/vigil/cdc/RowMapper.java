package dev.vigil.cdc;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Turns row changes into records of the log. A function of the change alone: the same change gives the same bytes,
 * before and after a restart. Safe for any thread.
 */
public final class RowMapper {

    static final String STAGE = "cdc-ingest";

    private final Map<String, TableMapping> mappingByTable;
    private final Map<String, String> sourceByTable = new HashMap<>();

    public RowMapper(CdcConfig config) {
        mappingByTable = config.tables().stream().collect(Collectors.toMap(TableMapping::table, Function.identity()));
        mappingByTable.keySet().forEach(table -> sourceByTable.put(table, config.source(table)));
    }

    /** Never throws for what a row holds: a row that cannot become a record is {@link MappedRow.Refused}. */
    public MappedRow map(RowChange change) {
        TableMapping mapping = mappingByTable.get(change.table());
        if (mapping == null) {
            return new MappedRow.Skipped("table without a mapping");
        }
        String source = String.valueOf(sourceByTable.get(change.table()));
        try {
            return mapping.map(change, source);
        } catch (RefusedRowException e) {
            DeadLetter deadLetter = new DeadLetter(e.reason(), STAGE, change.table() + ": " + e.detail(), null);
            return refused(mapping, change, source, deadLetter);
        }
    }

    private static MappedRow.Refused refused(
            TableMapping mapping, RowChange change, String source, DeadLetter deadLetter) {
        String key = readableKey(change);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(EventEnvelope.SOURCE_HEADER, source);
        headers.put("vigil-operation", change.operation().label());
        headers.put("vigil-lsn", change.lsnText());
        return new MappedRow.Refused(key, headers, readableColumns(mapping, change), deadLetter);
    }

    private static String readableKey(RowChange change) {
        Row key = change.key();
        if (key == null) {
            return change.table() + "@" + change.lsnText();
        }
        return key.columns().stream()
                .map(column -> readable(key.column(column)))
                .collect(Collectors.joining(":"));
    }

    /** The mapped columns, each as well as it can be shown. */
    private static byte[] readableColumns(TableMapping mapping, RowChange change) {
        Row row = change.after() == null ? change.key() : change.after();
        List<String> columns = row == null ? List.of() : row.columns();
        return RowReader.json(json -> {
            for (String column : columns) {
                if (row != null && (mapping.columns().contains(column) || row == change.key())) {
                    ColumnValue value = row.column(column);
                    json.writeFieldName(column);
                    if (value.problem().isPresent()) {
                        json.writeString(readable(value));
                    } else {
                        value.write(json);
                    }
                }
            }
        });
    }

    private static String readable(ColumnValue value) {
        if (value instanceof ColumnValue.Unusable unusable) {
            return "(" + unusable.found() + ")";
        }
        return value.text();
    }
}
