package dev.vigil.cdc;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Turns row changes into records of the log. A function of the change and of what is remembered: the same change gives the
 * same bytes, before and after a restart. Safe for any thread.
 */
public final class RowMapper {

    static final String STAGE = "cdc-ingest";

    private final Map<String, TableMapping> mappingByTable;
    private final Map<String, String> sourceByTable = new HashMap<>();
    private final CardFreeRows cards;

    public RowMapper(CdcConfig config) {
        mappingByTable = config.tables().stream().collect(Collectors.toMap(TableMapping::table, Function.identity()));
        cards = new CardFreeRows(config.cardNumbers(), config.notCardNumbers());
        mappingByTable.keySet().forEach(table -> sourceByTable.put(table, config.source(table)));
    }

    /** The change as everything after this sees it: whatever is mapped, kept, told or logged of it holds no card number. */
    RowChange clean(RowChange change) {
        return cards.clean(change);
    }

    /**
     * Never throws for what a row holds: a row that cannot become a record is {@link MappedRow.Refused}.
     *
     * @param change {@link #clean}
     * @param references what is remembered of the rows before this change
     */
    public MappedRow map(RowChange change, References references) {
        TableMapping mapping = mappingByTable.get(change.table());
        if (mapping == null) {
            return new MappedRow.Skipped("table without a mapping");
        }
        String source = String.valueOf(sourceByTable.get(change.table()));
        try {
            return mapping.map(change, source, references);
        } catch (MissingReferenceException e) {
            return new MappedRow.Waiting(e.missing());
        } catch (RefusedRowException e) {
            DeadLetter deadLetter = new DeadLetter(e.reason(), STAGE, change.table() + ": " + e.detail(), null);
            return refused(mapping, change, source, deadLetter);
        }
    }

    /** What becomes of a row whose account was waited for in vain. */
    MappedRow.Refused refuse(RowChange change, RowKey missing, String why) {
        TableMapping mapping = Objects.requireNonNull(mappingByTable.get(change.table()), change.table());
        String detail = change.table() + ": expected the account in " + missing + ", found no such row " + why;
        return refused(
                mapping,
                change,
                String.valueOf(sourceByTable.get(change.table())),
                new DeadLetter(DeadLetter.Reason.MISSING_ACCOUNT, STAGE, detail, null));
    }

    /**
     * What tells that a remembered row is gone; empty for one that was never published.
     *
     * @param change see {@link ReferenceTable#removal}
     */
    Optional<EventEnvelope> removal(RowKey key, RememberedRow row, RowChange change) {
        return mappingByTable.get(key.table()) instanceof ReferenceTable reference
                ? Optional.of(reference.removal(key, row, change, String.valueOf(sourceByTable.get(key.table()))))
                : Optional.empty();
    }

    /** Tables of which rows are remembered. */
    Set<String> rememberedTables() {
        return mappingByTable.values().stream()
                .filter(mapping -> mapping instanceof ReferenceTable || mapping instanceof LookupTable)
                .map(TableMapping::table)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The columns of a row that its mapping reads. */
    Set<String> columns(String table) {
        TableMapping mapping = mappingByTable.get(table);
        return mapping == null ? Set.of() : mapping.columns();
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
        ColumnValue shown = value instanceof ColumnValue.Card card ? card.published() : value;
        boolean hasText = !(shown instanceof ColumnValue.Unusable || shown instanceof ColumnValue.Unchanged);
        return hasText
                ? value.text()
                : value.problem().map(problem -> "(" + problem.found() + ")").orElse("");
    }
}
