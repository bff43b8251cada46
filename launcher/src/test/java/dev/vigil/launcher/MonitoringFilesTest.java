package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.vigil.launcher.ComposeFile.Service;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What Prometheus and Grafana are told, against the services. */
final class MonitoringFilesTest {
    private final ComposeFile compose = ComposeFile.read();

    @Test
    void shouldScrapeEveryServiceWhereItListens() throws IOException {
        JsonNode scrape = yaml("deploy/prometheus.yml").at("/scrape_configs/0");
        List<String> targets = StreamSupport.stream(
                        scrape.at("/static_configs/0/targets").spliterator(), false)
                .map(JsonNode::textValue)
                .toList();

        assertThat(scrape.path("metrics_path").textValue()).isEqualTo("/metrics");
        assertThat(targets)
                .containsExactlyInAnyOrderElementsOf(compose.services().values().stream()
                        .filter(Service::isVigil)
                        .map(service -> service.name() + ":" + ComposeFileTest.port(service))
                        .toList());
    }

    @Test
    void shouldLetGrafanaAskThePrometheusOfTheDeployment() throws IOException {
        JsonNode source =
                yaml("deploy/grafana/provisioning/datasources/prometheus.yml").at("/datasources/0");

        assertThat(source.path("url").textValue()).isEqualTo("http://prometheus:9090");
        for (JsonNode panel : GrafanaDashboard.panels()) {
            assertThat(panel.at("/datasource/uid").textValue())
                    .isEqualTo(source.path("uid").textValue());
        }
    }

    @Test
    void shouldPutTheDashboardWhereGrafanaLooks() throws IOException {
        Service grafana = Objects.requireNonNull(compose.services().get("grafana"));
        String folder = yaml("deploy/grafana/provisioning/dashboards/vigil.yml")
                .at("/providers/0/options/path")
                .textValue();

        assertThat(Objects.requireNonNull(grafana.mountOf(folder)).source()).isEqualTo("./deploy/grafana/dashboards");
        assertThat(grafana.environment())
                .containsEntry("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH", folder + "/vigil.json");
    }

    @Test
    void shouldKeepPanelsApart() throws IOException {
        List<JsonNode> panels = GrafanaDashboard.panels();

        assertThat(panels).extracting(panel -> panel.path("id").intValue()).doesNotHaveDuplicates();
        for (int i = 0; i < panels.size(); i++) {
            for (JsonNode other : panels.subList(i + 1, panels.size())) {
                assertThat(GrafanaDashboard.overlap(panels.get(i), other))
                        .as(panels.get(i).path("title") + " and " + other.path("title"))
                        .isFalse();
            }
        }
    }

    private static JsonNode yaml(String file) throws IOException {
        return new YAMLMapper().readTree(Repository.text(file));
    }
}
