package dev.vigil.dashboard.http;

import dev.vigil.config.ConfigNode;
import java.util.List;

/**
 * Where to listen. There is no authentication yet: whoever reaches the port may use it, so it listens on the loopback
 * address unless told otherwise, and then belongs behind a proxy that authenticates.
 *
 * @param port 0 takes a free one
 * @param allowedHosts names under which it may be called besides those of the loopback address; while it listens on that
 *     address, a request under any other name is refused, so that no web page elsewhere reaches it through the user's
 *     browser
 */
public record HttpConfig(String host, int port, List<String> allowedHosts) {
    public static final String DEFAULT_HOST = "127.0.0.1";

    public HttpConfig {
        allowedHosts = List.copyOf(allowedHosts);
    }

    public static HttpConfig local(int port) {
        return new HttpConfig(DEFAULT_HOST, port, List.of());
    }

    /** Reads {@code host}, {@code port} and {@code allowed-hosts} of a section; the caller names the section's keys. */
    public static HttpConfig from(ConfigNode node, int defaultPort) {
        return new HttpConfig(
                node.get("host", DEFAULT_HOST, ConfigNode::text),
                node.get("port", defaultPort, n -> n.integerBetween(0, 65_535)),
                node.get(
                        "allowed-hosts",
                        List.of(),
                        n -> n.items().stream().map(ConfigNode::text).toList()));
    }
}
