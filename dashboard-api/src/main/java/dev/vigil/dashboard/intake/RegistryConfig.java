package dev.vigil.dashboard.intake;

import dev.vigil.config.ConfigNode;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The {@code dashboard.intake.kafka.registry} section: where the schemas of Avro values are.
 *
 * @param url below which {@code /schemas/ids/ID} is answered
 * @param user and password of HTTP basic authentication; absent: none
 * @param timeout of one question as a whole
 * @param maxSchemas that are kept
 */
public record RegistryConfig(
        URI url, @Nullable String user, @Nullable String password, Duration timeout, int maxSchemas) {
    static RegistryConfig from(ConfigNode node) {
        node.knownKeys("url", "user", "password", "timeout", "max-schemas");
        String user = node.find("user").map(ConfigNode::text).orElse(null);
        if (node.has("user") != node.has("password")) {
            throw node.error("expected user and password, or neither");
        }
        return new RegistryConfig(
                node.require("url").read("an address such as http://schema-registry:8081", RegistryConfig::address),
                user,
                node.find("password").map(ConfigNode::text).orElse(null),
                node.get("timeout", Duration.ofSeconds(3), ConfigNode::duration),
                node.get("max-schemas", 1_000, n -> n.integerBetween(1, 100_000)));
    }

    private static URI address(String text) {
        URI address = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
        boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
        if (!isHttp || address.getHost() == null || address.getUserInfo() != null || address.getQuery() != null) {
            throw new IllegalArgumentException(text);
        }
        return address;
    }

    @Override
    public String toString() {
        return "RegistryConfig[" + url + (user == null ? "" : ", with a password") + "]";
    }
}
