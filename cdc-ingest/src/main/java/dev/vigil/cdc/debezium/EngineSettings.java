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
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Debezium's settings for one run of the engine on a PostgreSQL database, and those that every database has. */
final class EngineSettings {

    private EngineSettings() {}

    static Properties of(CdcConfig config, SourceFacts facts, Map<String, String> offsets, Path requests) {
        Properties settings = new Properties();
        engine(settings, offsets);
        source(settings, config);
        tables(settings, config, mapping -> primaryKey(facts, mapping), EngineSettings::quoted);
        values(settings);
        snapshotsOnDemand(settings, requests);
        return settings;
    }

    static void engine(Properties settings, Map<String, String> offsets) {
        settings.setProperty("name", EnginePosition.ENGINE_NAME);
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
        settings.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
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

    /**
     * @param primaryKey columns of a table's primary key
     * @param quoted a name as SQL of that database has it
     */
    static void tables(
            Properties settings,
            CdcConfig config,
            Function<TableMapping, List<String>> primaryKey,
            UnaryOperator<String> quoted) {
        settings.setProperty("snapshot.mode", "initial");
        settings.setProperty(
                "table.include.list",
                config.tables().stream()
                        .map(mapping -> literal(mapping.table()))
                        .collect(Collectors.joining(",")));
        settings.setProperty(
                "column.include.list",
                config.tables().stream()
                        .flatMap(mapping -> columns(mapping, primaryKey).stream()
                                .map(column -> literal(mapping.table() + "." + column)))
                        .collect(Collectors.joining(",")));
        settings.setProperty("skipped.operations", "none");
        settings.setProperty("tombstones.on.delete", "false");
        snapshotSelects(settings, config, primaryKey, quoted);
    }

    /** Reads the needed columns only, and the events in the order of their time, or most of them would be late. */
    private static void snapshotSelects(
            Properties settings,
            CdcConfig config,
            Function<TableMapping, List<String>> primaryKey,
            UnaryOperator<String> quoted) {
        String setting = "snapshot.select.statement.overrides";
        for (TableMapping mapping : config.tables()) {
            String list = columns(mapping, primaryKey).stream().map(quoted).collect(Collectors.joining(", "));
            String order = mapping instanceof EventTable events ? " ORDER BY " + quoted.apply(events.time()) : "";
            settings.setProperty(
                    setting + "." + mapping.table(),
                    "SELECT " + list + " FROM " + quotedTable(mapping.table(), quoted) + order);
        }
        settings.setProperty(
                setting, config.tables().stream().map(TableMapping::table).collect(Collectors.joining(",")));
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
        settings.setProperty("converters", "dates");
        settings.setProperty("dates.type", DateConverter.class.getName());
    }

    /** Without a table of signals, which the user would have to be allowed to write to. */
    static void snapshotsOnDemand(Properties settings, Path requests) {
        settings.setProperty("read.only", "true");
        settings.setProperty("signal.enabled.channels", "file");
        settings.setProperty("signal.file", requests.toString());
        settings.setProperty("signal.poll.interval.ms", "1000");
        settings.setProperty("incremental.snapshot.chunk.size", "2048");
    }

    private static Set<String> columns(TableMapping mapping, Function<TableMapping, List<String>> primaryKey) {
        Set<String> columns = new LinkedHashSet<>(mapping.columns());
        columns.addAll(primaryKey.apply(mapping));
        return columns;
    }

    private static List<String> primaryKey(SourceFacts facts, TableMapping mapping) {
        TableFacts table = facts.tables().get(mapping.table());
        return table == null ? List.of() : table.primaryKey();
    }

    /** As a regular expression that matches exactly this name. */
    static String literal(String name) {
        return name.replaceAll("[^A-Za-z0-9_]", "\\\\$0");
    }

    private static String quotedTable(String table, UnaryOperator<String> quoted) {
        int dot = table.indexOf('.');
        return quoted.apply(table.substring(0, dot)) + "." + quoted.apply(table.substring(dot + 1));
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
