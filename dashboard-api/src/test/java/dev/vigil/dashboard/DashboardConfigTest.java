package dev.vigil.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import dev.vigil.dashboard.http.HttpConfig;
import dev.vigil.dashboard.http.QueryConfig;
import dev.vigil.dashboard.intake.AddressRange;
import dev.vigil.dashboard.intake.IntakeConfig;
import dev.vigil.dashboard.intake.KafkaIntakeConfig;
import dev.vigil.dashboard.intake.RateLimitConfig;
import dev.vigil.dashboard.intake.RegistryConfig;
import dev.vigil.dashboard.intake.UnknownFields;
import dev.vigil.event.card.CardNumberConfig;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DashboardConfigTest {
    private static DashboardConfig read(String yaml) {
        return DashboardConfig.from(ConfigDocument.parse("vigil.yaml", yaml));
    }

    @Test
    void defaults() {
        assertThat(read("{}")).isEqualTo(DashboardConfig.local(8080));
        assertThat(DashboardConfig.local(8080).http()).isEqualTo(new HttpConfig("127.0.0.1", 8080, List.of()));
        assertThat(DashboardConfig.local(8080).intake())
                .isEqualTo(new IntakeConfig(
                        UnknownFields.WARN,
                        new CardNumberConfig(CardNumberConfig.Mode.REFUSE, List.of()),
                        new RateLimitConfig(10_000, 20_000, List.of()),
                        1_048_576,
                        1_000,
                        262_144,
                        64,
                        16_777_216,
                        new KafkaIntakeConfig(true, 500, null),
                        Duration.ofSeconds(10)));
        assertThat(DashboardConfig.local(8080).query()).isEqualTo(new QueryConfig(10_000, Duration.ofSeconds(30), 2));
    }

    @Test
    void explicitPropertyMappings() {
        DashboardConfig config = read("""
            host: 0.0.0.0
            port: 9090
            allowed-hosts: [vigil.example]
            user-header: X-Forwarded-User
            recent-alerts: 10
            recent-scored: 20
            max-live-clients: 30
            intake:
              unknown-fields: refuse
              rate-limit: {events-per-second: 100, burst: 300, trusted-proxies: [10.0.0.0/8, "::1"]}
              max-body-bytes: 2048
              max-events: 5
              max-data-bytes: 1024
              max-in-flight: 7
              max-in-flight-bytes: 4096
              kafka:
                enabled: false
                max-records: 20
                registry: {url: "http://registry:8081/", user: u, password: secret, timeout: 2s, max-schemas: 7}
              broker-timeout: 3s
            query: {max-rows: 50, timeout: 4s, concurrent: 1}
            services:
              scoring-engine: [http://a:8081, http://b:8081]
              alerting: https://c
            """);
        assertThat(config)
                .isEqualTo(new DashboardConfig(
                        new HttpConfig("0.0.0.0", 9090, List.of("vigil.example")),
                        "X-Forwarded-User",
                        10,
                        20,
                        30,
                        new IntakeConfig(
                                UnknownFields.REFUSE,
                                new CardNumberConfig(CardNumberConfig.Mode.REFUSE, List.of()),
                                new RateLimitConfig(
                                        100, 300, List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("::1"))),
                                2_048,
                                5,
                                1_024,
                                7,
                                4_096,
                                new KafkaIntakeConfig(
                                        false,
                                        20,
                                        new RegistryConfig(
                                                URI.create("http://registry:8081"),
                                                "u",
                                                "secret",
                                                Duration.ofSeconds(2),
                                                7)),
                                Duration.ofSeconds(3)),
                        new QueryConfig(50, Duration.ofSeconds(4), 1),
                        Map.of(
                                "scoring-engine", List.of(URI.create("http://a:8081"), URI.create("http://b:8081")),
                                "alerting", List.of(URI.create("https://c")))));
    }

    @Test
    void shouldNotShowThePasswordOfTheRegistry() {
        assertThat(read("intake: {kafka: {registry: {url: 'http://x', user: u, password: hush}}}")
                        .toString())
                .contains("http://x")
                .doesNotContain("hush");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prot: 1|vigil.yaml:1:1: prot: unknown key 'prot', did you mean 'port'?",
                "port: 70000|vigil.yaml:1:7: port: expected an integer from 0 to 65535, found '70000'",
                "user-header: X-User|vigil.yaml:1:14: user-header: expected proxies in"
                        + " intake.rate-limit.trusted-proxies",
                "{user-header: 'X User', intake: {rate-limit: {trusted-proxies: ['::1']}}}|expected the name of a header"
                        + " such as X-Forwarded-User, found 'X User'",
                "services: {scoring: x}|unknown key 'scoring'",
                "services: {alerting: 'ftp://x'}|expected an address such as http://scoring-engine:8081, found"
                        + " 'ftp://x'",
                "services: {alerting: 'http://u:p@x'}|expected an address such as",
                "intake: {unknown-fields: allow}|expected ignore, warn or refuse, found 'allow'",
                "intake: {rate-limit: {burst: 999}}|expected an integer from 1000 to 100000000, found '999'",
                "intake: {rate-limit: {trusted-proxies: [proxy.example]}}|expected an address or a network such as"
                        + " 10.0.0.0/8",
                "intake: {kafka: {topic: x}}|unknown key 'topic'",
                "intake: {kafka: {registry: {}}}|url",
                "intake: {kafka: {registry: {url: 'http://u:p@x'}}}|expected an address such as"
                        + " http://schema-registry:8081",
                "intake: {kafka: {registry: {url: 'http://x', user: u}}}|expected user and password, or neither",
                "intake: {max-in-flight-bytes: 1024}|expected an integer from 1048576 to 1073741824, found '1024'",
                "intake: {max-body-bytes: 2048, max-data-bytes: 4096}|expected an integer from 1 to 2048, found '4096'"
            })
    void shouldRefuseWhatCannotBeMeant(String yaml, String expected) {
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(ConfigException.class).hasMessageContaining(expected);
    }
}
