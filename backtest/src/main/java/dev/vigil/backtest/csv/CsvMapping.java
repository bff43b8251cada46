package dev.vigil.backtest.csv;

import dev.vigil.backtest.Label;
import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How the columns of a CSV become events; a YAML document beside the policy. See {@code docs/backtest.md} for the form.
 *
 * @param type the events' type, or null where a column says it
 * @param source CloudEvents source of the events
 * @param fields columns by field of the event
 * @param label of the event in its own row; absent: none
 */
public record CsvMapping(
        char delimiter,
        @Nullable String type,
        @Nullable Column typeColumn,
        String source,
        Column id,
        Column account,
        TimeColumn time,
        Map<String, FieldColumn> fields,
        @Nullable LabelColumn label) {
    private static final Set<String> FRAUD = Set.of("1", "true", "fraud", "yes");
    private static final Set<String> LEGITIMATE = Set.of("0", "false", "legitimate", "genuine", "no");

    /** A column and the place that names it, for complaints. */
    record Column(String name, ConfigNode place) {
        static Column of(ConfigNode node) {
            return new Column(node.text(), node);
        }
    }

    record TimeColumn(Column column, TimeFormat format) {}

    /** @param format of a column of times; absent: the text goes into the event as it is */
    record FieldColumn(Column column, @Nullable TimeFormat format) {}

    /**
     * Texts that mean fraud and legitimate, in lower case.
     *
     * @param required whether a file of events must have the column
     */
    record LabelColumn(Column column, Set<String> fraud, Set<String> legitimate, boolean required) {
        /** @return null if the text means neither */
        @Nullable
        Label read(String text) {
            String lower = text.strip().toLowerCase(java.util.Locale.ROOT);
            if (fraud.contains(lower)) {
                return Label.FRAUD;
            }
            if (legitimate.contains(lower)) {
                return Label.LEGITIMATE;
            }
            return lower.isEmpty() ? Label.UNKNOWN : null;
        }
    }

    public CsvMapping {
        fields = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /**
     * @param fileName how complaints name the document
     * @throws dev.vigil.config.ConfigException for what cannot be meant, at its place
     */
    public static CsvMapping read(String fileName, String text) {
        ConfigNode root = ConfigDocument.parse(fileName, text)
                .knownKeys("delimiter", "type", "source", "id", "account", "time", "fields", "label");
        ConfigNode type = root.require("type");
        Column typeColumn =
                type.isMapping() ? Column.of(type.knownKeys("column").require("column")) : null;
        CsvMapping mapping = new CsvMapping(
                root.get("delimiter", ',', CsvMapping::delimiter),
                typeColumn == null ? type.text() : null,
                typeColumn,
                root.get("source", "/file", ConfigNode::text),
                Column.of(root.require("id")),
                Column.of(root.require("account")),
                time(root.require("time")),
                fields(root),
                root.find("label").map(CsvMapping::label).orElse(null));
        mapping.refuseLabelAsField();
        return mapping;
    }

    private static char delimiter(ConfigNode node) {
        String text = node.text().equals("\\t") ? "\t" : node.text();
        if (text.length() != 1 || text.charAt(0) > 127 || "\"\r\n".contains(text)) {
            throw node.expected("one character such as , or ;");
        }
        return text.charAt(0);
    }

    private static TimeColumn time(ConfigNode node) {
        if (!node.isMapping()) {
            return new TimeColumn(Column.of(node), TimeFormat.rfc3339());
        }
        node.knownKeys("column", "format", "zone");
        return new TimeColumn(Column.of(node.require("column")), TimeFormat.read(node));
    }

    private static Map<String, FieldColumn> fields(ConfigNode root) {
        Map<String, FieldColumn> fields = new LinkedHashMap<>();
        root.find("fields").ifPresent(section -> {
            for (String name : section.keys()) {
                ConfigNode node = section.require(name);
                if (node.isMapping()) {
                    node.knownKeys("column", "format", "zone");
                    fields.put(name, new FieldColumn(Column.of(node.require("column")), TimeFormat.read(node)));
                } else {
                    fields.put(name, new FieldColumn(Column.of(node), null));
                }
            }
        });
        return fields;
    }

    static LabelColumn label(ConfigNode node) {
        if (!node.isMapping()) {
            return new LabelColumn(Column.of(node), FRAUD, LEGITIMATE, true);
        }
        node.knownKeys("column", "fraud", "legitimate");
        return new LabelColumn(
                Column.of(node.require("column")),
                node.get("fraud", FRAUD, CsvMapping::texts),
                node.get("legitimate", LEGITIMATE, CsvMapping::texts),
                true);
    }

    private static Set<String> texts(ConfigNode node) {
        Set<String> texts = new TreeSet<>();
        List<ConfigNode> items = node.isList() ? node.items() : List.of(node);
        items.forEach(item -> texts.add(item.text().toLowerCase(java.util.Locale.ROOT)));
        return texts;
    }

    /** What became known later may not be known to a score. */
    private void refuseLabelAsField() {
        if (label == null) {
            return;
        }
        String column = label.column().name();
        List<Column> scored = new ArrayList<>(List.of(id, account, time.column()));
        fields.values().forEach(field -> scored.add(field.column()));
        for (Column used : scored) {
            if (used.name().equals(column)) {
                throw used.place().error("column '" + column + "' holds the label, which nothing that scores may see");
            }
        }
    }

    /** The same for events whose labels are in a file of their own: their rows may have them too, but need not. */
    public CsvMapping withLabelsElsewhere() {
        LabelColumn optional =
                label == null ? null : new LabelColumn(label.column(), label.fraud(), label.legitimate(), false);
        return new CsvMapping(delimiter, type, typeColumn, source, id, account, time, fields, optional);
    }

    /**
     * Refuses a field that no policy declares.
     *
     * @param declared by the policies that will run, all event types together
     */
    public void checkFields(Set<String> declared) {
        fields.forEach((name, field) -> {
            if (!declared.contains(name) && !name.equals("currency")) {
                throw field.column().place().unknown("the policy declares no field", name, new TreeSet<>(declared));
            }
        });
    }
}
