package dev.vigil.cdc;

import java.util.List;

/** The kinds of databases that can be captured. */
public enum DatabaseType {
    POSTGRESQL("postgresql", 5432, "prefer", List.of("disable", "prefer", "require", "verify-ca", "verify-full")),
    MYSQL("mysql", 3306, "preferred", List.of("disabled", "preferred", "required", "verify-ca", "verify-identity"));

    private final String label;
    private final int defaultPort;
    private final String defaultSslMode;
    private final List<String> sslModes;

    DatabaseType(String label, int defaultPort, String defaultSslMode, List<String> sslModes) {
        this.label = label;
        this.defaultPort = defaultPort;
        this.defaultSslMode = defaultSslMode;
        this.sslModes = sslModes;
    }

    /** As the configuration has it. */
    public String label() {
        return label;
    }

    int defaultPort() {
        return defaultPort;
    }

    String defaultSslMode() {
        return defaultSslMode;
    }

    /** As the clients of such a database know them, in lower case and with hyphens. */
    List<String> sslModes() {
        return sslModes;
    }
}
