package dev.vigil.alerting.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.alerting.ApiEndpointsConfig;
import dev.vigil.alerting.Channel;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.EndpointTls;
import dev.vigil.alerting.EndpointUrl;
import dev.vigil.alerting.PublicAddresses;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import dev.vigil.config.NearestName;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What an endpoint made by the API may say, and the configuration that comes of it: what one of the configuration file may say,
 * but that the configuration alone decides which hosts may be private and which files certificates are in.
 */
final class Definitions {
    /** Where in the text a complaint was; the text is ours, nobody has seen it. */
    private static final Pattern PLACE = Pattern.compile("^endpoint:\\d+:\\d+: ");

    private static final String STAND_IN = "whsec_" + "A".repeat(32);

    private final ApiEndpointsConfig limits;
    private final HostNames hosts;

    Definitions(ApiEndpointsConfig limits, HostNames hosts) {
        this.limits = limits;
        this.hosts = hosts;
    }

    /** The keys as the configuration spells them; no values of null. */
    static ObjectNode settings(JsonNode definition) {
        if (!(definition instanceof ObjectNode given)) {
            throw invalid("expected a JSON object");
        }
        ObjectNode settings = Json.mapper().createObjectNode();
        for (Map.Entry<String, JsonNode> field : given.properties()) {
            String key = field.getKey().replace('_', '-');
            if (key.equals("secrets")) {
                throw invalid("secrets: expected none: they are made here, and shown once");
            }
            if (key.equals("allow-private")) {
                throw invalid("allow_private: expected nothing: the configuration says which hosts may be private"
                        + " (alerting.api-endpoints.allow-private-hosts)");
            }
            if (settings.has(key)) {
                throw invalid(key + ": the key stands here twice");
            }
            if (!field.getValue().isNull()) {
                settings.set(key, field.getValue());
            }
        }
        return settings;
    }

    /** Of the settings with the changes: a value of null takes one away. */
    static ObjectNode changed(JsonNode settings, JsonNode changes) {
        settings(changes);
        ObjectNode changed = settings.deepCopy();
        for (Map.Entry<String, JsonNode> field : changes.properties()) {
            String key = field.getKey().replace('_', '-');
            if (key.equals("name") || key.equals("channel")) {
                throw invalid(key + ": expected to stay as it is; make another endpoint");
            }
            if (field.getValue().isNull()) {
                changed.remove(key);
            } else {
                changed.set(key, field.getValue());
            }
        }
        return changed;
    }

    /**
     * For one that is made or changed.
     *
     * @throws EndpointRefusedException if it may not be, also for where its host lies now
     */
    EndpointConfig checked(String name, StoredDefinition definition) {
        boolean isPrivate = mayBePrivate(definition.settings());
        if (!isPrivate) {
            requirePublic(definition.settings());
        }
        return parsed(name, definition, isPrivate, tls(definition.settings()));
    }

    /** For one that was stored; where it lies is checked by whoever connects. */
    EndpointConfig stored(String name, StoredDefinition definition) {
        return parsed(name, definition, mayBePrivate(definition.settings()), tls(definition.settings()));
    }

    /** For one that may not be used as things are, so that alerts can wait for it. */
    EndpointConfig unusable(String name, StoredDefinition definition) {
        return parsed(name, definition, true, EndpointTls.USUAL);
    }

    private EndpointConfig parsed(String name, StoredDefinition definition, boolean isPrivate, EndpointTls tls) {
        ObjectNode document = definition.settings().deepCopy();
        document.put("name", name);
        document.remove("tls");
        document.put("allow-private", isPrivate);
        if (document.path("channel").asText("webhook").equals("webhook")) {
            document.putArray("secrets").add(STAND_IN);
        }
        EndpointConfig config;
        try {
            config = EndpointConfig.from(ConfigDocument.parse(
                    "endpoint", new String(Json.encode(document), java.nio.charset.StandardCharsets.UTF_8)));
        } catch (ConfigException e) {
            throw invalid(PLACE.matcher(String.valueOf(e.getMessage())).replaceFirst(""));
        }
        return (config.channel() instanceof Channel.Webhook ? config.withChannel(webhook(definition)) : config)
                .withTls(tls);
    }

    private static Channel.Webhook webhook(StoredDefinition definition) {
        List<WebhookSecret> inUse = new ArrayList<>();
        List<Channel.FormerSecret> former = new ArrayList<>();
        for (StoredDefinition.Secret secret : definition.secrets()) {
            WebhookSecret text = new WebhookSecret(secret.text());
            Long untilMs = secret.untilMs();
            if (untilMs == null) {
                inUse.add(text);
            } else {
                former.add(new Channel.FormerSecret(text, untilMs));
            }
        }
        return new Channel.Webhook(inUse, former);
    }

    private boolean mayBePrivate(JsonNode settings) {
        String host = host(settings);
        return limits.privateHosts().contains(host.toLowerCase(Locale.ROOT));
    }

    /** Empty where it has none, which whoever reads the whole complains about. */
    private static String host(JsonNode settings) {
        try {
            return settings.has("url") ? new EndpointUrl(settings.path("url").asText()).host() : "";
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private void requirePublic(JsonNode settings) {
        String host = host(settings);
        if (host.isEmpty()) {
            return;
        }
        try {
            for (InetAddress address : hosts.addresses(host)) {
                if (!PublicAddresses.contains(address)) {
                    throw invalid("url: the address " + address.getHostAddress() + " is not public; the configuration"
                            + " may allow the host by name (alerting.api-endpoints.allow-private-hosts)");
                }
            }
        } catch (UnknownHostException e) {
            throw invalid("url: the host name is not found");
        }
    }

    private EndpointTls tls(JsonNode settings) {
        JsonNode name = settings.path("tls");
        if (name.isMissingNode()) {
            return EndpointTls.USUAL;
        }
        EndpointTls tls = limits.tls().get(name.asText());
        if (!name.isTextual() || tls == null) {
            String hint = NearestName.of(name.asText(), limits.tls().keySet())
                    .map(nearest -> ", did you mean '" + nearest + "'?")
                    .orElse("");
            throw invalid("tls: expected a name under alerting.api-endpoints.tls" + hint);
        }
        return tls;
    }

    static EndpointRefusedException invalid(String message) {
        return new EndpointRefusedException(Kind.INVALID, message);
    }
}
