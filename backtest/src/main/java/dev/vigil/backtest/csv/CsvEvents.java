package dev.vigil.backtest.csv;

import dev.vigil.backtest.EventSource;
import dev.vigil.backtest.Label;
import dev.vigil.backtest.RecordReceiver;
import dev.vigil.backtest.csv.CsvMapping.FieldColumn;
import dev.vigil.backtest.csv.CsvMapping.LabelColumn;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventEnvelope;
import dev.vigil.scoring.LogRecord;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a CSV file as the records of a log with one partition: file order is log order, a row's offset is its line
 * number, and its ingest time is its event time. A row that cannot be an event is refused and costs no other.
 */
public final class CsvEvents implements EventSource, AutoCloseable {
    private static final long US_PER_MS = 1_000;

    private final CsvMapping mapping;
    private final CsvFile file;
    private final LogRecord record = new LogRecord();
    private final JsonRow data = new JsonRow();
    private final int typeColumn;
    private final int idColumn;
    private final int accountColumn;
    private final int timeColumn;
    private final int labelColumn;
    private final List<Field> fields = new ArrayList<>();
    private long unreadableLabels;

    private record Field(
            String name,
            JsonRow.Name jsonName,
            int column,
            boolean isBool,
            @Nullable TimeFormat format) {}

    /** A row that cannot be an event. A value, not a fault: without a stack trace. */
    private static final class BadRow extends Exception {
        private static final long serialVersionUID = 1L;
        private final Reason reason;

        BadRow(Reason reason, String detail) {
            super(detail, null, false, false);
            this.reason = reason;
        }
    }

    /**
     * Opens the file and finds the mapping's columns in its header.
     *
     * @param boolFields fields in which {@code 1} and {@code 0} stand for true and false
     * @throws dev.vigil.service.ServiceException if the file cannot be read
     * @throws dev.vigil.config.ConfigException if the mapping names a column that the file does not have
     */
    public CsvEvents(Path path, CsvMapping mapping, Set<String> boolFields) {
        this.mapping = mapping;
        this.file = new CsvFile(path, mapping.delimiter());
        try {
            typeColumn = mapping.typeColumn() == null ? -1 : file.indexOf(mapping.typeColumn());
            idColumn = file.indexOf(mapping.id());
            accountColumn = file.indexOf(mapping.account());
            timeColumn = file.indexOf(mapping.time().column());
            labelColumn = labelColumn(mapping.label());
            for (Map.Entry<String, FieldColumn> field : mapping.fields().entrySet()) {
                String name = field.getKey();
                fields.add(new Field(
                        name,
                        new JsonRow.Name(name),
                        file.indexOf(field.getValue().column()),
                        boolFields.contains(name),
                        field.getValue().format()));
            }
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private int labelColumn(@Nullable LabelColumn label) {
        if (label == null || (!label.required() && !file.has(label.column()))) {
            return -1;
        }
        return file.indexOf(label.column());
    }

    @Override
    public void read(RecordReceiver receiver) {
        receiver.partition(0);
        while (file.next()) {
            CsvReader row = file.row();
            try {
                fill(row);
            } catch (BadRow e) {
                receiver.refused(row.line(), e.reason, String.valueOf(e.getMessage()));
                continue;
            }
            receiver.record(record, label(row));
        }
    }

    private void fill(CsvReader row) throws BadRow {
        if (row.problem() != null) {
            throw new BadRow(Reason.MALFORMED_ENVELOPE, row.problem());
        }
        if (row.size() != file.columnCount()) {
            throw new BadRow(
                    Reason.MALFORMED_ENVELOPE,
                    "expected " + file.columnCount() + " values as the header has them, found " + row.size());
        }
        String id = required(row, idColumn, mapping.id().name(), Reason.MISSING_ID);
        String account = required(row, accountColumn, mapping.account().name(), Reason.MISSING_ACCOUNT);
        String type = typeColumn < 0
                ? java.util.Objects.requireNonNull(mapping.type())
                : required(row, typeColumn, "the type", Reason.UNKNOWN_EVENT_TYPE);
        long timeUs = time(row);
        EventEnvelope event = new EventEnvelope(id, mapping.source(), type, timeUs, account, false, data(row));
        record.begin(row.line(), -Math.floorDiv(-timeUs, US_PER_MS), null, event.data());
        event.headers().forEach(record::header);
    }

    private static String required(CsvReader row, int column, String name, Reason reason) throws BadRow {
        if (row.isEmpty(column)) {
            throw new BadRow(reason, name + ": empty");
        }
        String text = row.text(column);
        if (text.indexOf('\uFFFD') >= 0) {
            throw new BadRow(Reason.MALFORMED_ENVELOPE, name + ": not UTF-8");
        }
        return text;
    }

    private long time(CsvReader row) throws BadRow {
        String name = mapping.time().column().name();
        TimeFormat format = mapping.time().format();
        return parse(required(row, timeColumn, name, Reason.MISSING_TIME), format, name, Reason.MISSING_TIME);
    }

    private static long parse(String text, TimeFormat format, String name, Reason reason) throws BadRow {
        try {
            return format.parseUs(text);
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new BadRow(reason, name + ": expected " + format.description() + ", found something else");
        }
    }

    private byte[] data(CsvReader row) throws BadRow {
        data.begin();
        for (Field field : fields) {
            if (row.isEmpty(field.column())) {
                continue;
            }
            if (field.format() != null) {
                long timeUs = parse(row.text(field.column()), field.format(), field.name(), Reason.BAD_FIELD);
                data.add(field.jsonName(), dev.vigil.event.EventTimes.format(timeUs));
            } else if (field.isBool()) {
                data.add(field.jsonName(), bool(row.text(field.column())));
            } else if (!data.add(field.jsonName(), row, field.column())) {
                throw new BadRow(Reason.BAD_FIELD, field.name() + ": not UTF-8");
            }
        }
        return data.end();
    }

    private static String bool(String text) {
        return switch (text) {
            case "1" -> "true";
            case "0" -> "false";
            default -> text;
        };
    }

    private Label label(CsvReader row) {
        LabelColumn column = mapping.label();
        if (column == null || labelColumn < 0) {
            return Label.UNKNOWN;
        }
        Label label = column.read(row.text(labelColumn));
        if (label == null) {
            unreadableLabels++;
            return Label.UNKNOWN;
        }
        return label;
    }

    @Override
    public long unreadableLabels() {
        return unreadableLabels;
    }

    @Override
    public String position(int partition, long offset) {
        return "line " + offset;
    }

    @Override
    public double progress() {
        return file.progress();
    }

    @Override
    public void close() {
        file.close();
    }
}
