package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DatabaseConfig;
import dev.vigil.cdc.TableMapping;
import dev.vigil.cdc.mysql.MySqlFacts;
import dev.vigil.cdc.mysql.MySqlTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** Debezium's settings for one run of the engine on a MySQL server. */
final class MySqlEngineSettings {

    private MySqlEngineSettings() {}

    static Properties of(
            CdcConfig config,
            MySqlFacts facts,
            String sslMode,
            Map<String, String> offsets,
            Path requests,
            Path schemaHistory) {
        Properties settings = new Properties();
        EngineSettings.engine(settings, offsets);
        source(settings, config, sslMode);
        EngineSettings.tables(settings, config, mapping -> primaryKey(facts, mapping), MySqlEngineSettings::quoted);
        values(settings);
        structure(settings, config, schemaHistory);
        if (facts.numbersTransactions()) {
            EngineSettings.snapshotsOnDemand(settings, requests);
        }
        return settings;
    }

    private static void source(Properties settings, CdcConfig config, String sslMode) {
        DatabaseConfig database = config.database();
        settings.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        settings.setProperty("topic.prefix", "vigil");
        settings.setProperty("database.hostname", database.host());
        settings.setProperty("database.port", Integer.toString(database.port()));
        settings.setProperty("database.user", database.user());
        settings.setProperty("database.password", database.password());
        settings.setProperty("database.ssl.mode", sslMode.toLowerCase(Locale.ROOT));
        settings.setProperty("database.server.id", Long.toString(database.serverId()));
        settings.setProperty("connect.timeout.ms", "10000");
        // A connection that is lost ends the run: the next one begins with our own checks, which notice a gap.
        settings.setProperty("connect.keep.alive", "false");
        long heartbeatMs = config.heartbeat().toMillis();
        settings.setProperty("heartbeat.interval.ms", Long.toString(heartbeatMs));
        // The server is asked to say every four fifths of this that nothing has happened.
        settings.setProperty("connect.keep.alive.interval.ms", Long.toString(heartbeatMs * 5 / 4));
    }

    private static void values(Properties settings) {
        settings.setProperty("decimal.handling.mode", "string");
        settings.setProperty("bigint.unsigned.handling.mode", "precise");
        settings.setProperty("time.precision.mode", "adaptive_time_microseconds");
        // The server has read years of two digits already.
        settings.setProperty("enable.time.adjuster", "false");
        settings.setProperty("binary.handling.mode", "bytes");
        settings.setProperty("column.propagate.source.type", ".*");
        settings.setProperty("converters", "times");
        settings.setProperty("times.type", MySqlTimeConverter.class.getName());
        settings.setProperty("min.row.count.to.stream.results", "0");
    }

    /** The log does not say what a table looks like; so that is kept from the snapshot on, with each change of it. */
    private static void structure(Properties settings, CdcConfig config, Path schemaHistory) {
        settings.setProperty(
                "database.include.list",
                config.tables().stream()
                        .map(mapping ->
                                mapping.table().substring(0, mapping.table().indexOf('.')))
                        .distinct()
                        .map(EngineSettings::literal)
                        .collect(Collectors.joining(",")));
        settings.setProperty("include.schema.changes", "false");
        settings.setProperty("inconsistent.schema.handling.mode", "fail");
        settings.setProperty("snapshot.locking.mode", "minimal");
        settings.setProperty("schema.history.internal", SchemaHistoryFile.class.getName());
        settings.setProperty(SchemaHistoryFile.FILE_SETTING, schemaHistory.toString());
        settings.setProperty("schema.history.internal.store.only.captured.databases.ddl", "true");
    }

    private static List<String> primaryKey(MySqlFacts facts, TableMapping mapping) {
        MySqlTable table = facts.tables().get(mapping.table());
        return table == null ? List.of() : table.primaryKey();
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
