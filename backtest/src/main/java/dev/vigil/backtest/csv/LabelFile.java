package dev.vigil.backtest.csv;

import dev.vigil.backtest.Label;
import dev.vigil.backtest.Labels;
import dev.vigil.backtest.csv.CsvMapping.Column;
import dev.vigil.backtest.csv.CsvMapping.LabelColumn;
import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigNode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A CSV file of event ids and labels. */
public final class LabelFile {
    private final Path path;
    private final char delimiter;
    private final Column id;
    private final LabelColumn label;

    private LabelFile(Path path, char delimiter, Column id, LabelColumn label) {
        this.path = path;
        this.delimiter = delimiter;
        this.id = id;
        this.label = label;
    }

    /**
     * With the mapping's columns for id and label.
     *
     * @throws dev.vigil.config.ConfigException if the mapping names no label
     */
    public static LabelFile mapped(Path path, CsvMapping mapping) {
        LabelColumn label = mapping.label();
        if (label == null) {
            throw mapping.id().place().error("to read " + path + ", the mapping must say which column is the 'label'");
        }
        return new LabelFile(path, mapping.delimiter(), mapping.id(), label);
    }

    /** For sources without a mapping: columns {@code event_id} and {@code label}. */
    public static LabelFile usual(Path path) {
        ConfigNode columns = ConfigDocument.parse(path.toString(), "{id: event_id, label: label}");
        return new LabelFile(path, ',', Column.of(columns.require("id")), CsvMapping.label(columns.require("label")));
    }

    /**
     * Of several lines of one event the last that says something holds.
     *
     * @throws dev.vigil.service.ServiceException if the file cannot be read
     * @throws dev.vigil.config.ConfigException if it lacks one of the columns
     */
    public Labels read() {
        Map<String, Label> labels = new HashMap<>();
        long unreadable = 0;
        try (CsvFile file = new CsvFile(path, delimiter)) {
            int idColumn = file.indexOf(id);
            int labelColumn = file.indexOf(label.column());
            while (file.next()) {
                CsvReader row = file.row();
                boolean whole = row.problem() == null && row.size() == file.columnCount() && !row.isEmpty(idColumn);
                Label read = whole ? label.read(row.text(labelColumn)) : null;
                if (read == null) {
                    unreadable++;
                } else if (read != Label.UNKNOWN) {
                    labels.put(row.text(idColumn), read);
                }
            }
        }
        return new Labels(labels, unreadable);
    }
}
