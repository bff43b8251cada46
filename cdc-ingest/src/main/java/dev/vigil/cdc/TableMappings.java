package dev.vigil.cdc;

import dev.vigil.config.ConfigNode;
import dev.vigil.event.EventTypes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads {@code cdc.tables}. */
final class TableMappings {

    private final ConfigNode tables;
    private final String database;
    private final Map<String, String> tableByEvent = new LinkedHashMap<>();
    /** Rows that others can look their account up in: table by the name of the lookup or reference. */
    private final Map<String, String> tableByLookup = new LinkedHashMap<>();

    private TableMappings(ConfigNode tables, String database) {
        this.tables = tables;
        this.database = database;
    }

    /**
     * In the order in which a snapshot reads them: lookups and references first, then events, then labels; within each in
     * document order.
     */
    static List<TableMapping> from(ConfigNode node, String database) {
        return new TableMappings(node, database).read();
    }

    private List<TableMapping> read() {
        for (String table : tables.keys()) {
            ConfigNode mapping = tables.require(table);
            if (!table.matches("[^.\"]+\\.[^.\"]+")) {
                throw mapping.error("expected a table as schema.table, found '" + table + "'");
            }
            requireOneKind(mapping);
            collectName(table, mapping);
        }
        List<TableMapping> mappings = new ArrayList<>();
        for (String table : tables.keys()) {
            mappings.add(mapping(table, tables.require(table)));
        }
        if (mappings.isEmpty()) {
            throw tables.expected("at least one table");
        }
        mappings.sort(Comparator.comparingInt(TableMappings::rank));
        return mappings;
    }

    private static int rank(TableMapping mapping) {
        return switch (Kind.of(mapping)) {
            case LOOKUP, REFERENCE -> 0;
            case EVENT -> 1;
            case LABEL -> 2;
        };
    }

    private enum Kind {
        LOOKUP,
        REFERENCE,
        EVENT,
        LABEL;

        static Kind of(TableMapping mapping) {
            return mapping instanceof LookupTable
                    ? LOOKUP
                    : mapping instanceof ReferenceTable ? REFERENCE : mapping instanceof EventTable ? EVENT : LABEL;
        }
    }

    /** A label names its event by the key that makes other tables events. */
    private static void requireOneKind(ConfigNode mapping) {
        List<String> kinds = Stream.of("event", "reference", "label", "lookup")
                .filter(kind -> mapping.has(kind) && !(kind.equals("event") && mapping.has("label")))
                .toList();
        if (kinds.size() > 1) {
            throw mapping.error("expected a table whose rows are one of event, reference, label, lookup, found "
                    + String.join(" and ", kinds)
                    + (kinds.contains("reference") && kinds.contains("lookup")
                            ? "; a reference can be looked up as it is"
                            : "; rows of one table become one kind of record"));
        }
    }

    private void collectName(String table, ConfigNode mapping) {
        if (mapping.has("label")) {
            return;
        }
        for (String kind : List.of("event", "reference", "lookup")) {
            if (mapping.has(kind)) {
                ConfigNode name = mapping.require(kind);
                Map<String, String> tableByName = kind.equals("event") ? tableByEvent : tableByLookup;
                String earlier = tableByName.put(name.text(), table);
                if (earlier != null) {
                    throw name.error(kind + " '" + name.text() + "' comes from " + earlier + " already");
                }
                return;
            }
        }
    }

    private TableMapping mapping(String table, ConfigNode node) {
        if (node.has("label")) {
            return label(table, node);
        }
        if (node.has("reference")) {
            return reference(table, node);
        }
        if (node.has("event")) {
            return event(table, node);
        }
        if (node.has("lookup")) {
            return lookup(table, node);
        }
        throw node.error("expected one of event, reference, label, lookup, found " + String.join(", ", node.keys()));
    }

    private EventTable event(String table, ConfigNode node) {
        node.knownKeys("event", "id", "account", "time", "fields");
        ConfigNode type = node.require("event");
        if (EventTypes.isReserved(type.text())) {
            throw type.expected("an event type that does not start with " + EventTypes.RESERVED_PREFIX);
        }
        return new EventTable(
                table,
                type.text(),
                columns(node, "id"),
                account(node),
                node.require("time").text(),
                fields(node));
    }

    private ReferenceTable reference(String table, ConfigNode node) {
        node.knownKeys("reference", "id", "account", "time", "fields");
        return new ReferenceTable(
                table,
                node.require("reference").text(),
                columns(node, "id"),
                new AccountSource.Column(node.require("account").text()),
                optionalText(node, "time"),
                fields(node));
    }

    private LookupTable lookup(String table, ConfigNode node) {
        node.knownKeys("lookup", "id", "account");
        return new LookupTable(table, node.require("lookup").text(), columns(node, "id"), account(node));
    }

    private LabelTable label(String table, ConfigNode node) {
        node.knownKeys("label", "event", "event-id", "id", "account", "value", "time");
        ConfigNode event = node.require("event");
        String eventTable = tableByEvent.get(event.text());
        if (eventTable == null) {
            throw event.unknown("no table gives event", event.text(), tableByEvent.keySet());
        }
        node.require("event-id");
        return new LabelTable(
                table,
                node.require("label").text(),
                CdcConfig.source(database, eventTable),
                columns(node, "id"),
                columns(node, "event-id"),
                account(node),
                node.require("value").text(),
                node.require("time").text());
    }

    private AccountSource account(ConfigNode node) {
        return account(node, new LinkedHashSet<>());
    }

    /** @param passed names of the lookups on the way here */
    private AccountSource account(ConfigNode node, Set<String> passed) {
        ConfigNode account = node.require("account");
        if (!account.isMapping()) {
            return new AccountSource.Column(account.text());
        }
        account.knownKeys("lookup", "by");
        ConfigNode name = account.require("lookup");
        String table = tableByLookup.get(name.text());
        if (table == null) {
            throw name.unknown("no table gives lookup or reference", name.text(), tableByLookup.keySet());
        }
        if (!passed.add(name.text())) {
            throw name.error("lookups go round in a circle: " + String.join(", ", passed));
        }
        account.require("by");
        return new AccountSource.Lookup(
                name.text(), table, columns(account, "by"), account(tables.require(table), passed));
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
