package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DatabaseConfig;
import dev.vigil.cdc.EventTable;
import dev.vigil.cdc.TableMapping;
import dev.vigil.cdc.postgres.SourceFacts;
import dev.vigil.cdc.postgres.TableFacts;
import dev.vigil.event.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/** Debezium's settings for one run of the engine. */
final class EngineSettings {

    private EngineSettings() {}

    static Properties of(CdcConfig config, SourceFacts facts, Map<String, String> offsets, Path requests) {
        Properties settings = new Properties();
        engine(settings, offsets);
        source(settings, config);
        tables(settings, config, facts);
        values(settings);
        snapshotsOnDemand(settings, requests);
        return settings;
    }

    private static void engine(Properties settings, Map<String, String> offsets) {
        settings.setProperty("name", EnginePosition.ENGINE_NAME);
        settings.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        settings.setProperty("offset.storage", PositionStore.class.getName());
        settings.setProperty(PositionStore.POSITION_SETTING, new String(Json.encode(offsets), StandardCharsets.UTF_8));
        settings.setProperty("offset.flush.interval.ms", "1000");
        settings.setProperty("offset.flush.timeout.ms", "10000");
        settings.setProperty("record.processing.order", "ORDERED");
        settings.setProperty("record.processing.threads", "1");
        settings.setProperty("task.management.timeout.ms", "30000");
        // Every restart goes through our own checks, which notice a gap; so the engine itself never tries again.
        settings.setProperty("errors.max.retries", "0");
        settings.setProperty("poll.interval.ms", "5");
        settings.setProperty("max.batch.size", "2048");
        settings.setProperty("max.queue.size", "8192");
        settings.setProperty("max.queue.size.in.bytes", "67108864");
    }

    private static void source(Properties settings, CdcConfig config) {
        DatabaseConfig database = config.database();
        settings.setProperty("topic.prefix", "vigil");
        settings.setProperty("database.hostname", database.host());
        settings.setProperty("database.port", Integer.toString(database.port()));
        settings.setProperty("database.user", database.user());
        settings.setProperty("database.password", database.password());
        settings.setProperty("database.dbname", database.name());
        settings.setProperty("database.sslmode", database.sslMode());
        settings.setProperty("plugin.name", "pgoutput");
        settings.setProperty("slot.name", config.slot());
        settings.setProperty("slot.drop.on.stop", "false");
        // The engine opens its stream twice; the server may not have let go of the first one when it asks again.
        settings.setProperty("slot.max.retries", "40");
        settings.setProperty("slot.retry.delay.ms", "250");
        settings.setProperty("offset.mismatch.strategy", "trust_offset");
        settings.setProperty("publication.name", config.publication());
        settings.setProperty("publication.autocreate.mode", "disabled");
        settings.setProperty(
                "heartbeat.interval.ms", Long.toString(config.heartbeat().toMillis()));
        // A message of our own in the log lets the slot move on while only other tables, or other databases of the
        // server, are written to; it says the database's time, which rows that wait go by.
        settings.setProperty(
                "heartbeat.action.query",
                "SELECT pg_logical_emit_message(true, '" + RowChanges.HEARTBEAT_PREFIX
                        + "', (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text)");
        settings.setProperty("status.update.interval.ms", "1000");
    }

    private static void tables(Properties settings, CdcConfig config, SourceFacts facts) {
        settings.setProperty("snapshot.mode", "initial");
        settings.setProperty(
                "table.include.list",
                config.tables().stream()
                        .map(mapping -> literal(mapping.table()))
                        .collect(Collectors.joining(",")));
        settings.setProperty(
                "column.include.list",
                config.tables().stream()
                        .flatMap(mapping ->
                                columns(mapping, facts).stream().map(column -> literal(mapping.table() + "." + column)))
                        .collect(Collectors.joining(",")));
        settings.setProperty("skipped.operations", "none");
        settings.setProperty("tombstones.on.delete", "false");
        snapshotSelects(settings, config, facts);
    }

    /**
     * Reads the needed columns only, and the events in the order of their time, or most of them would be late. A date before
     * the year 1 is read as -infinity: the engine would drop its era.
     */
    private static void snapshotSelects(Properties settings, CdcConfig config, SourceFacts facts) {
        String setting = "snapshot.select.statement.overrides";
        for (TableMapping mapping : config.tables()) {
            TableFacts table = facts.tables().get(mapping.table());
            String list = columns(mapping, facts).stream()
                    .map(column ->
                            selected(column, table != null && table.dates().contains(column)))
                    .collect(Collectors.joining(", "));
            String order = mapping instanceof EventTable events ? " ORDER BY " + quoted(events.time()) : "";
            settings.setProperty(
                    setting + "." + mapping.table(),
                    "SELECT " + list + " FROM " + quotedTable(mapping.table()) + order);
        }
        settings.setProperty(
                setting, config.tables().stream().map(TableMapping::table).collect(Collectors.joining(",")));
    }

    private static String selected(String column, boolean isDate) {
        String name = quoted(column);
        return isDate
                ? "CASE WHEN " + name + " < DATE '0001-01-01' THEN DATE '-infinity' ELSE " + name + " END AS " + name
                : name;
    }

    private static void values(Properties settings) {
        settings.setProperty("decimal.handling.mode", "string");
        settings.setProperty("time.precision.mode", "adaptive");
        // As text, Debezium gives null for an unchanged large value.
        settings.setProperty("binary.handling.mode", "bytes");
        settings.setProperty("hstore.handling.mode", "json");
        settings.setProperty("interval.handling.mode", "string");
        settings.setProperty("unavailable.value.placeholder", ColumnValues.UNCHANGED_PLACEHOLDER);
        settings.setProperty("column.propagate.source.type", ".*");
    }

    /** Without a table of signals, which the user would have to be allowed to write to. */
    private static void snapshotsOnDemand(Properties settings, Path requests) {
        settings.setProperty("read.only", "true");
        settings.setProperty("signal.enabled.channels", "file");
        settings.setProperty("signal.file", requests.toString());
        settings.setProperty("signal.poll.interval.ms", "1000");
        settings.setProperty("incremental.snapshot.chunk.size", "2048");
    }

    private static Set<String> columns(TableMapping mapping, SourceFacts facts) {
        Set<String> columns = new LinkedHashSet<>(mapping.columns());
        TableFacts table = facts.tables().get(mapping.table());
        if (table != null) {
            columns.addAll(table.primaryKey());
        }
        return columns;
    }

    /** As a regular expression that matches exactly this name. */
    static String literal(String name) {
        return name.replaceAll("[^A-Za-z0-9_]", "\\\\$0");
    }

    private static String quotedTable(String table) {
        int dot = table.indexOf('.');
        return quoted(table.substring(0, dot)) + "." + quoted(table.substring(dot + 1));
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
