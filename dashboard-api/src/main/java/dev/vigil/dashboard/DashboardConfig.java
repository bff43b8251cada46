package dev.vigil.dashboard;

import dev.vigil.config.ConfigNode;
import dev.vigil.dashboard.http.HttpConfig;
import dev.vigil.dashboard.http.QueryConfig;
import dev.vigil.dashboard.intake.IntakeConfig;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code dashboard} section.
 *
 * @param userHeader in which trusted proxies say who is calling; absent: none does
 * @param recentAlerts alerts kept in memory for the page
 * @param recentScored scored events kept in memory for the page
 * @param maxLiveClients open event streams; more are answered 503
 * @param services addresses of services in other processes by name, several where a service runs more than once
 */
public record DashboardConfig(
        HttpConfig http,
        @Nullable String userHeader,
        int recentAlerts,
        int recentScored,
        int maxLiveClients,
        IntakeConfig intake,
        QueryConfig query,
        Map<String, List<URI>> services) {
    public static final String SECTION = "dashboard";
    public static final int DEFAULT_PORT = 8080;

    private static final String[] SERVICES = {"cdc-ingest", "scoring-engine", "alerting", "lakehouse-sink"};

    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,100}");

    public DashboardConfig {
        Map<String, List<URI>> copy = new LinkedHashMap<>();
        services.forEach((service, addresses) -> copy.put(service, List.copyOf(addresses)));
        services = java.util.Collections.unmodifiableMap(copy);
    }

    /** On the loopback address, with every service in this process. */
    public static DashboardConfig local(int port) {
        return new DashboardConfig(
                HttpConfig.local(port),
                null,
                500,
                2_000,
                500,
                IntakeConfig.defaults(),
                QueryConfig.defaults(),
                Map.of());
    }

    public static DashboardConfig from(ConfigNode node) {
        node.knownKeys(
                "host",
                "port",
                "allowed-hosts",
                "user-header",
                "recent-alerts",
                "recent-scored",
                "max-live-clients",
                "intake",
                "query",
                "services");
        DashboardConfig defaults = local(DEFAULT_PORT);
        IntakeConfig intake = node.get("intake", defaults.intake, IntakeConfig::from);
        return new DashboardConfig(
                HttpConfig.from(node, DEFAULT_PORT),
                node.find("user-header").map(n -> userHeader(n, intake)).orElse(null),
                node.get("recent-alerts", defaults.recentAlerts, n -> n.integerBetween(1, 100_000)),
                node.get("recent-scored", defaults.recentScored, n -> n.integerBetween(1, 100_000)),
                node.get("max-live-clients", defaults.maxLiveClients, n -> n.integerBetween(1, 10_000)),
                intake,
                node.get("query", defaults.query, QueryConfig::from),
                node.get("services", Map.of(), DashboardConfig::services));
    }

    private static String userHeader(ConfigNode node, IntakeConfig intake) {
        if (intake.rateLimit().trustedProxies().isEmpty()) {
            throw node.error(
                    "expected proxies in intake.rate-limit.trusted-proxies, who alone are believed, found none");
        }
        return node.read("the name of a header such as X-Forwarded-User", text -> {
            if (!HEADER.matcher(text).matches()) {
                throw new IllegalArgumentException(text);
            }
            return text;
        });
    }

    private static Map<String, List<URI>> services(ConfigNode node) {
        node.knownKeys(SERVICES);
        Map<String, List<URI>> services = new LinkedHashMap<>();
        for (String service : node.keys()) {
            ConfigNode addresses = node.require(service);
            services.put(
                    service,
                    addresses.isList()
                            ? addresses.items().stream()
                                    .map(DashboardConfig::address)
                                    .toList()
                            : List.of(address(addresses)));
        }
        return services;
    }

    private static URI address(ConfigNode node) {
        return node.read("an address such as http://scoring-engine:8081", text -> {
            URI address = URI.create(text);
            boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
            if (!isHttp || address.getHost() == null || address.getUserInfo() != null) {
                throw new IllegalArgumentException(text);
            }
            return address;
        });
    }
}
