package dev.vigil.cdc;

import dev.vigil.config.ConfigNode;
import java.util.List;

/**
 * How to reach the captured database.
 *
 * @param name of the database
 * @param sslMode as PostgreSQL clients know it: disable, prefer, require, verify-ca, verify-full
 */
public record DatabaseConfig(String host, int port, String user, String password, String name, String sslMode) {

    private static final List<String> SSL_MODES = List.of("disable", "prefer", "require", "verify-ca", "verify-full");

    static DatabaseConfig from(ConfigNode node) {
        node.knownKeys("host", "port", "user", "password", "name", "ssl-mode");
        String sslMode = node.get("ssl-mode", "prefer", ConfigNode::text);
        if (!SSL_MODES.contains(sslMode)) {
            throw node.require("ssl-mode").unknown("unknown mode", sslMode, SSL_MODES);
        }
        return new DatabaseConfig(
                node.require("host").text(),
                node.get("port", 5432, n -> n.integerBetween(1, 65_535)),
                node.require("user").text(),
                node.get("password", "", ConfigNode::text),
                node.require("name").text(),
                sslMode);
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + name;
    }

    /** For messages: no user, no password. */
    public String address() {
        return host + ":" + port + "/" + name;
    }

    @Override
    public String toString() {
        return "DatabaseConfig[" + address() + ", user " + user + ", ssl-mode " + sslMode + "]";
    }
}
