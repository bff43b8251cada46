package dev.vigil.lakehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LakehouseConfigTest {
    @Test
    void shouldHaveDefaults() {
        assertThat(read("{}")).isEqualTo(LakehouseConfig.defaults());
        assertThat(LakehouseConfig.defaults())
                .isEqualTo(new LakehouseConfig(
                        Duration.ofSeconds(60),
                        500_000,
                        16,
                        false,
                        null,
                        new LakehouseConfig.Catalog("vigil", Map.of())));
    }

    @Test
    void shouldReadEveryKey() {
        LakehouseConfig config = read("""
                commit-interval: 15s
                commit-rows: 1000
                open-partitions: 4
                accept-gap: true
                warehouse: s3://bucket/history
                catalog:
                  name: prod
                  type: rest
                  uri: http://catalog:8181
                """);

        assertThat(config)
                .isEqualTo(new LakehouseConfig(
                        Duration.ofSeconds(15),
                        1000,
                        4,
                        true,
                        "s3://bucket/history",
                        new LakehouseConfig.Catalog("prod", Map.of("type", "rest", "uri", "http://catalog:8181"))));
    }

    @Test
    void shouldNameTheNearestKeyForAnUnknownOne() {
        assertThatThrownBy(() -> read("commit-intervall: 15s"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean 'commit-interval'?");
    }

    @Test
    void shouldRefuseACatalogThatNamesNoKind() {
        assertThatThrownBy(() -> read("catalog: {uri: 'http://catalog:8181'}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("missing 'type'");
    }

    @Test
    void shouldRefuseAnIntervalOfNothing() {
        assertThatThrownBy(() -> read("commit-interval: 0s"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("expected a duration of more than 0, found '0s'");
    }

    @Test
    void shouldNotShowSecrets() {
        assertThat(read("catalog: {type: jdbc, jdbc.password: hunter2}").toString())
                .contains("jdbc.password")
                .doesNotContain("hunter2");
    }

    private static LakehouseConfig read(String yaml) {
        return LakehouseConfig.from(ConfigDocument.parse("vigil.yaml", yaml));
    }
}
