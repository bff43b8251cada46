package dev.vigil.launcher;

import dev.vigil.alerting.AlertingConfig;
import dev.vigil.cdc.CdcConfig;
import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import dev.vigil.config.ConfigNode;
import dev.vigil.dashboard.DashboardConfig;
import dev.vigil.dashboard.http.HttpConfig;
import dev.vigil.engine.EngineConfig;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.service.kafka.KafkaConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;

/**
 * {@code vigil.yaml}: one section per service and what they share.
 *
 * @param dataDirectory of the services of this process; each keeps to a folder of its own below it
 * @param policy file that is activated where the log has no policy yet; absent: {@code vigil policy apply} does it
 * @param cdc absent where no database is captured
 * @param endpoint where a process without the dashboard tells its health, metrics and status
 * @param document that it was read from, for complaints that come later: of a file or a host that is not there
 */
record VigilConfig(
        KafkaConfig kafka,
        Path dataDirectory,
        Optional<Path> policy,
        EngineConfig scoring,
        Optional<CdcConfig> cdc,
        AlertingConfig alerting,
        LakehouseConfig lakehouse,
        DashboardConfig dashboard,
        HttpConfig endpoint,
        ConfigNode document) {
    static final String ENDPOINT_SECTION = "endpoint";
    private static final int ENDPOINT_PORT = 8081;
    private static final Pattern SETTING = Pattern.compile("configuration ([a-z0-9.]+)");

    /** Complaint about the brokers' addresses: none of their hosts is known. */
    ConfigException unknownHosts() {
        return document.require("kafka")
                .require("bootstrap-servers")
                .error("expected a host that is known here, found " + kafka.bootstrapServers());
    }

    /** Complaint about a setting of Kafka's clients, at its place where they name it. */
    ConfigException refusedByKafka(KafkaException refusal) {
        Throwable cause = refusal;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage());
        ConfigNode section = document.require("kafka");
        ConfigNode properties = section.find("properties").orElse(section);
        Matcher named = SETTING.matcher(message);
        return (named.find() ? properties.find(named.group(1)).orElse(properties) : properties)
                .error("Kafka's clients refuse it: " + message);
    }

    /**
     * The configured policy.
     *
     * @throws ConfigException if there is no such file, with the place that names it; or of the file itself
     */
    Optional<Policy> readPolicy() {
        return policy.map(file -> {
            if (!Files.isReadable(file)) {
                throw document.require("policy").error("expected a file that can be read, found none: " + file);
            }
            return Deployment.readPolicy(file);
        });
    }

    /** @throws dev.vigil.config.ConfigException with file, line, column and field */
    static VigilConfig load(Path file, Map<String, String> environment) {
        ConfigNode root = ConfigDocument.load(file, environment);
        Path folder = file.toAbsolutePath().getParent();
        return from(root, Objects.requireNonNull(folder, "a file that was read is in a folder"));
    }

    /** @param base what relative paths in the document are relative to */
    static VigilConfig from(ConfigNode root, Path base) {
        root.knownKeys(
                "kafka",
                "data-dir",
                "policy",
                "scoring",
                "cdc",
                "alerting",
                "lakehouse",
                "dashboard",
                ENDPOINT_SECTION);
        DashboardConfig dashboard =
                root.get("dashboard", DashboardConfig.local(DashboardConfig.DEFAULT_PORT), DashboardConfig::from);
        Path dataDirectory = base.resolve(root.require("data-dir").text()).normalize();
        return new VigilConfig(
                KafkaConfig.from(root.require("kafka")),
                dataDirectory,
                root.find("policy").map(node -> base.resolve(node.text()).normalize()),
                root.get(
                        "scoring",
                        EngineConfig.defaults(dataDirectory),
                        node -> EngineConfig.from(node, dataDirectory)),
                root.find("cdc")
                        .map(node -> CdcConfig.from(node, dashboard.intake().cardNumbers())),
                root.get("alerting", AlertingConfig.of(), AlertingConfig::from),
                root.get("lakehouse", LakehouseConfig.defaults(), LakehouseConfig::from),
                dashboard,
                root.find(ENDPOINT_SECTION)
                        .map(node -> HttpConfig.from(node.knownKeys("host", "port", "allowed-hosts"), ENDPOINT_PORT))
                        .orElse(HttpConfig.local(ENDPOINT_PORT)),
                root);
    }
}
