package dev.vigil.cdc;

import dev.vigil.config.ConfigNode;
import dev.vigil.event.EventTypes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code cdc.tables}. */
final class TableMappings {

    private TableMappings() {}

    /** References first, then events, then labels; within each in document order. */
    static List<TableMapping> from(ConfigNode node, String database) {
        List<TableMapping> tables = new ArrayList<>();
        Map<String, String> tableByType = eventTables(node);
        for (String table : node.keys()) {
            ConfigNode mapping = node.require(table);
            if (!table.matches("[^.\"]+\\.[^.\"]+")) {
                throw mapping.error("expected a table as schema.table, found '" + table + "'");
            }
            tables.add(mapping(table, mapping, database, tableByType));
        }
        if (tables.isEmpty()) {
            throw node.expected("at least one table");
        }
        tables.sort(Comparator.comparingInt(TableMappings::rank));
        return tables;
    }

    private static int rank(TableMapping mapping) {
        return mapping instanceof ReferenceTable ? 0 : mapping instanceof EventTable ? 1 : 2;
    }

    private static Map<String, String> eventTables(ConfigNode node) {
        Map<String, String> tableByType = new LinkedHashMap<>();
        for (String table : node.keys()) {
            ConfigNode mapping = node.require(table);
            if (mapping.has("event") && !mapping.has("label")) {
                ConfigNode type = mapping.require("event");
                String earlier = tableByType.put(type.text(), table);
                if (earlier != null) {
                    throw type.error("event '" + type.text() + "' comes from " + earlier + " already");
                }
            }
        }
        return tableByType;
    }

    private static TableMapping mapping(
            String table, ConfigNode node, String database, Map<String, String> tableByType) {
        if (node.has("label")) {
            return label(table, node, database, tableByType);
        }
        if (node.has("reference")) {
            return reference(table, node);
        }
        if (node.has("event")) {
            return event(table, node);
        }
        throw node.error("expected one of event, reference, label, found " + String.join(", ", node.keys()));
    }

    private static EventTable event(String table, ConfigNode node) {
        node.knownKeys("event", "id", "account", "time", "fields");
        ConfigNode type = node.require("event");
        if (EventTypes.isReserved(type.text())) {
            throw type.expected("an event type that does not start with " + EventTypes.RESERVED_PREFIX);
        }
        return new EventTable(
                table,
                type.text(),
                columns(node, "id"),
                node.require("account").text(),
                node.require("time").text(),
                fields(node));
    }

    private static ReferenceTable reference(String table, ConfigNode node) {
        node.knownKeys("reference", "id", "account", "time", "fields");
        return new ReferenceTable(
                table,
                node.require("reference").text(),
                columns(node, "id"),
                node.require("account").text(),
                optionalText(node, "time"),
                fields(node));
    }

    private static LabelTable label(String table, ConfigNode node, String database, Map<String, String> tableByType) {
        node.knownKeys("label", "event", "event-id", "id", "account", "value", "time");
        ConfigNode event = node.require("event");
        String eventTable = tableByType.get(event.text());
        if (eventTable == null) {
            throw event.unknown("no table gives event", event.text(), tableByType.keySet());
        }
        node.require("event-id");
        return new LabelTable(
                table,
                node.require("label").text(),
                CdcConfig.source(database, eventTable),
                columns(node, "id"),
                columns(node, "event-id"),
                node.require("account").text(),
                node.require("value").text(),
                node.require("time").text());
    }

    private static @Nullable String optionalText(ConfigNode node, String key) {
        return node.find(key).map(ConfigNode::text).orElse(null);
    }

    /** One column, or a list of them; empty if the key is absent. */
    private static List<String> columns(ConfigNode node, String key) {
        return node.find(key)
                .map(n -> n.isList() ? n.items().stream().map(ConfigNode::text).toList() : List.of(n.text()))
                .orElse(List.of());
    }

    private static Map<String, String> fields(ConfigNode node) {
        ConfigNode fields = node.require("fields");
        Map<String, String> columnByField = new LinkedHashMap<>();
        for (String field : fields.keys()) {
            columnByField.put(field, fields.require(field).text());
        }
        return columnByField;
    }
}
