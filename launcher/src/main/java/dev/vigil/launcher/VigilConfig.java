package dev.vigil.launcher;

import dev.vigil.alerting.AlertingConfig;
import dev.vigil.cdc.CdcConfig;
import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigNode;
import dev.vigil.dashboard.DashboardConfig;
import dev.vigil.dashboard.http.HttpConfig;
import dev.vigil.engine.EngineConfig;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.service.kafka.KafkaConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * {@code vigil.yaml}: one section per service and what they share.
 *
 * @param dataDirectory of the services of this process; each keeps to a folder of its own below it
 * @param policy file that is activated where the log has no policy yet; absent: {@code vigil policy apply} does it
 * @param cdc absent where no database is captured
 * @param endpoint where a process without the dashboard tells its health, metrics and status
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
        HttpConfig endpoint) {
    static final String ENDPOINT_SECTION = "endpoint";
    private static final int ENDPOINT_PORT = 8081;

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
        Path dataDirectory = base.resolve(root.require("data-dir").text()).normalize();
        return new VigilConfig(
                KafkaConfig.from(root.require("kafka")),
                dataDirectory,
                root.find("policy").map(node -> base.resolve(node.text()).normalize()),
                root.get(
                        "scoring",
                        EngineConfig.defaults(dataDirectory),
                        node -> EngineConfig.from(node, dataDirectory)),
                root.find("cdc").map(CdcConfig::from),
                root.get("alerting", AlertingConfig.of(), AlertingConfig::from),
                root.get("lakehouse", LakehouseConfig.defaults(), LakehouseConfig::from),
                root.get("dashboard", DashboardConfig.local(DashboardConfig.DEFAULT_PORT), DashboardConfig::from),
                root.find(ENDPOINT_SECTION)
                        .map(node -> HttpConfig.from(node.knownKeys("host", "port", "allowed-hosts"), ENDPOINT_PORT))
                        .orElse(HttpConfig.local(ENDPOINT_PORT)));
    }
}
