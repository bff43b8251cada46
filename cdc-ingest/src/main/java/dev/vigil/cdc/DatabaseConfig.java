package dev.vigil.cdc;

import dev.vigil.config.ConfigNode;
import java.util.List;
import java.util.stream.Stream;

/**
 * The captured database.
 *
 * @param user may replicate and read the mapped tables
 * @param sslMode as the clients of such a database know it, in lower case and with hyphens
 * @param serverId by which a MySQL server knows this reader among its replicas; 0 for others
 */
public record DatabaseConfig(
        DatabaseType type,
        String host,
        int port,
        String user,
        String password,
        String name,
        String sslMode,
        long serverId) {

    private static final long DEFAULT_SERVER_ID = 184_054;
    private static final int MAX_PORT = 65_535;

    /** A PostgreSQL database. */
    public static DatabaseConfig postgresql(
            String host, int port, String user, String password, String name, String sslMode) {
        return new DatabaseConfig(DatabaseType.POSTGRESQL, host, port, user, password, name, sslMode, 0);
    }

    static DatabaseConfig from(ConfigNode node) {
        DatabaseType type = node.get("type", DatabaseType.POSTGRESQL, DatabaseConfig::type);
        boolean isMySql = type == DatabaseType.MYSQL;
        List<String> keys = List.of("type", "host", "port", "user", "password", "name", "ssl-mode");
        node.knownKeys(Stream.concat(keys.stream(), isMySql ? Stream.of("server-id") : Stream.of())
                .toArray(String[]::new));
        String sslMode = node.get("ssl-mode", type.defaultSslMode(), ConfigNode::text);
        if (!type.sslModes().contains(sslMode)) {
            throw node.require("ssl-mode").unknown("unknown mode", sslMode, type.sslModes());
        }
        return new DatabaseConfig(
                type,
                node.require("host").text(),
                node.get("port", type.defaultPort(), n -> n.integerBetween(1, MAX_PORT)),
                node.require("user").text(),
                node.get("password", "", ConfigNode::text),
                node.require("name").text(),
                sslMode,
                isMySql ? node.get("server-id", DEFAULT_SERVER_ID, DatabaseConfig::serverId) : 0);
    }

    private static DatabaseType type(ConfigNode node) {
        String label = node.text();
        List<String> labels =
                Stream.of(DatabaseType.values()).map(DatabaseType::label).toList();
        return Stream.of(DatabaseType.values())
                .filter(type -> type.label().equals(label))
                .findFirst()
                .orElseThrow(() -> node.unknown("unknown type", label, labels));
    }

    private static long serverId(ConfigNode node) {
        return node.integerBetween(1, Integer.MAX_VALUE);
    }

    /** Without user and password. */
    public String jdbcUrl() {
        return "jdbc:" + type.label() + "://" + host + ":" + port + "/" + name;
    }

    /** For messages: no user, no password. */
    public String address() {
        return host + ":" + port + "/" + name;
    }

    @Override
    public String toString() {
        return "DatabaseConfig[" + type.label() + " " + address() + ", user " + user + ", ssl-mode " + sslMode + "]";
    }
}
