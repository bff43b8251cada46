package dev.vigil.alerting;

import dev.vigil.config.ConfigNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What endpoints that are made by the API may be: {@code alerting.endpoint-keys} and {@code alerting.api-endpoints}.
 *
 * @param keys that they are encrypted with: the one in use, then those before it; empty: none can be made
 * @param privateHosts hosts that may lie in a private network or on this machine, lower case
 * @param tls certificates by the name that an endpoint calls them by: the API names no files
 */
public record ApiEndpointsConfig(List<EndpointKey> keys, Set<String> privateHosts, Map<String, EndpointTls> tls) {
    public static final ApiEndpointsConfig NONE = new ApiEndpointsConfig(List.of(), Set.of(), Map.of());

    public ApiEndpointsConfig {
        keys = List.copyOf(keys);
        privateHosts = Set.copyOf(privateHosts);
        tls = Map.copyOf(tls);
    }

    /** @param alerting the section that has both keys */
    static ApiEndpointsConfig from(ConfigNode alerting) {
        List<EndpointKey> keys = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (ConfigNode item : alerting.get("endpoint-keys", List.<ConfigNode>of(), ConfigNode::items)) {
            EndpointKey key = EndpointKey.from(item);
            if (!ids.add(key.id())) {
                throw item.require("id").expected("an id of its own for each key");
            }
            keys.add(key);
        }
        Set<String> privateHosts = new LinkedHashSet<>();
        Map<String, EndpointTls> tls = new LinkedHashMap<>();
        alerting.find("api-endpoints").ifPresent(section -> {
            section.knownKeys("allow-private-hosts", "tls");
            section.get("allow-private-hosts", List.<ConfigNode>of(), ConfigNode::items)
                    .forEach(host -> privateHosts.add(host.text().toLowerCase(Locale.ROOT)));
            section.find("tls")
                    .ifPresent(profiles ->
                            profiles.keys().forEach(name -> tls.put(name, EndpointTls.from(profiles.require(name)))));
        });
        return new ApiEndpointsConfig(keys, privateHosts, tls);
    }
}
