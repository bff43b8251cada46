package dev.vigil.cdc;

import dev.vigil.config.ConfigNode;
import dev.vigil.event.card.CardNumberConfig;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The {@code cdc} section: which database, and what its tables mean.
 *
 * @param slot replication slot of a PostgreSQL server, used by one Vigil alone
 * @param publication of a PostgreSQL database, made to hold at least the mapped tables
 * @param heartbeat how often the position moves on while the mapped tables are quiet
 * @param lookups how rows wait for the row that has their account
 * @param acceptGap read the tables anew where the slot no longer reaches back to the stored position
 * @param cardNumbers what becomes of card numbers, as for events that are sent
 * @param notCardNumbers {@code schema.table.column} of what holds other numbers that look like those of cards
 * @param tables in the order in which a snapshot reads them: lookups and references, then events, then labels
 */
public record CdcConfig(
        DatabaseConfig database,
        String slot,
        String publication,
        Duration heartbeat,
        LookupConfig lookups,
        boolean acceptGap,
        CardNumberConfig cardNumbers,
        Set<String> notCardNumbers,
        List<TableMapping> tables) {

    private static final String NAME = "[a-z_][a-z0-9_]{0,62}";

    public CdcConfig {
        tables = List.copyOf(tables);
        notCardNumbers = Set.copyOf(notCardNumbers);
        if (tables.isEmpty()) {
            throw new IllegalArgumentException("change capture needs at least one table");
        }
    }

    /** @param cardNumbers the deployment's setting, which stands in another section */
    public static CdcConfig from(ConfigNode node, CardNumberConfig cardNumbers) {
        node.knownKeys(
                "database", "slot", "publication", "heartbeat", "lookups", "accept-gap", "not-card-numbers", "tables");
        DatabaseConfig database = DatabaseConfig.from(node.require("database"));
        for (String key : List.of("slot", "publication")) {
            if (database.type() != DatabaseType.POSTGRESQL && node.has(key)) {
                throw node.require(key).error("only a postgresql database has a " + key);
            }
        }
        return new CdcConfig(
                database,
                name(node, "slot"),
                name(node, "publication"),
                node.get("heartbeat", Duration.ofSeconds(5), CdcConfig::positiveDuration),
                node.get("lookups", LookupConfig.defaults(), LookupConfig::from),
                node.get("accept-gap", false, ConfigNode::bool),
                cardNumbers,
                node.get("not-card-numbers", Set.of(), columns -> columns(columns, node.require("tables"))),
                TableMappings.from(node.require("tables"), database.name()));
    }

    private static String name(ConfigNode node, String key) {
        return node.get(key, "vigil", n -> {
            if (!n.text().matches(NAME)) {
                throw n.expected("a name of lower-case letters, digits and _");
            }
            return n.text();
        });
    }

    private static Set<String> columns(ConfigNode list, ConfigNode tables) {
        Set<String> columns = new TreeSet<>();
        for (ConfigNode item : list.items()) {
            String column = item.text();
            String table = column.substring(0, Math.max(0, column.lastIndexOf('.')));
            if (!tables.keys().contains(table)) {
                throw item.unknown(
                        "expected schema.table.column of a mapped table, found no table", table, tables.keys());
            }
            columns.add(column);
        }
        return columns;
    }

    private static Duration positiveDuration(ConfigNode node) {
        Duration duration = node.duration();
        if (duration.isZero()) {
            throw node.expected("a duration above 0");
        }
        return duration;
    }

    /** CloudEvents source of a table's records: {@code /cdc/bank/public.transactions}. */
    public String source(String table) {
        return source(database.name(), table);
    }

    static String source(String database, String table) {
        return "/cdc/" + database + "/" + table;
    }
}
