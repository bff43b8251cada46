package dev.vigil.alerting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.alerting.cases.SuppressionConfig;
import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import dev.vigil.event.Decision;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AlertingConfigTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OLD_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    @Test
    void shouldHaveDefaults() {
        AlertingConfig config =
                read("endpoints: [{name: desk, url: https://example.com/h, secrets: [" + SECRET + "]}]");

        assertThat(config)
                .isEqualTo(AlertingConfig.of(
                        EndpointConfig.of("desk", "https://example.com/h", new WebhookSecret(SECRET))));
        EndpointConfig endpoint = config.endpoints().get(0);
        assertThat(endpoint.allowPrivate()).isFalse();
        assertThat(endpoint.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(endpoint.timeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(endpoint.maxInFlight()).isEqualTo(16);
        assertThat(endpoint.maxPerSecond()).isZero();
        assertThat(endpoint.filter()).isEqualTo(AlertFilter.ALL);
        assertThat(config.retry())
                .isEqualTo(new RetryConfig(Duration.ofSeconds(1), Duration.ofHours(4), Duration.ofDays(3)));
        assertThat(config.acceptGap()).isFalse();
    }

    @Test
    void shouldNeedNothing() {
        assertThat(read("{}").endpoints()).isEmpty();
    }

    @Test
    void shouldMapEveryProperty() {
        AlertingConfig config = read("""
                accept-gap: true
                retry: {first: 2s, max: 1h, give-up-after: 1d}
                endpoints:
                  - name: desk
                    url: http://127.0.0.1:8080/alerts
                    secrets: [%s, %s]
                    allow-private: true
                    connect-timeout: 1s
                    timeout: 3s
                    max-in-flight: 4
                    max-per-second: 20
                    decisions: [decline]
                    rules: [velocity, takeover]
                    min-score: 80
                    min-amount: 250.00
                    amount-field: total
                """.formatted(SECRET, OLD_SECRET));

        EndpointConfig endpoint = config.endpoints().get(0);
        assertThat(endpoint.name()).isEqualTo("desk");
        assertThat(endpoint.url().text()).isEqualTo("http://127.0.0.1:8080/alerts");
        assertThat(endpoint.channel())
                .isEqualTo(new Channel.Webhook(List.of(new WebhookSecret(SECRET), new WebhookSecret(OLD_SECRET))));
        assertThat(endpoint.allowPrivate()).isTrue();
        assertThat(endpoint.connectTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(endpoint.timeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(endpoint.maxInFlight()).isEqualTo(4);
        assertThat(endpoint.maxPerSecond()).isEqualTo(20);
        assertThat(endpoint.filter())
                .isEqualTo(new AlertFilter(
                        Set.of(Decision.DECLINE),
                        Set.of("velocity", "takeover"),
                        80,
                        new BigDecimal("250.00"),
                        "total"));
        assertThat(config.retry())
                .isEqualTo(new RetryConfig(Duration.ofSeconds(2), Duration.ofHours(1), Duration.ofDays(1)));
        assertThat(config.acceptGap()).isTrue();
    }

    @Test
    void shouldReadWhatSuppresses() {
        AlertingConfig config = read("""
                cases: {idle: 2d, keep: 30d}
                escalation: {score: 25, amount-factor: 1.5, amount-field: total}
                quiet-rules: [night, holiday]
                """);

        assertThat(config.suppression())
                .isEqualTo(new SuppressionConfig(
                        Duration.ofDays(2),
                        Duration.ofDays(30),
                        new SuppressionConfig.Escalation(25, new BigDecimal("1.5"), "total"),
                        Set.of("night", "holiday")));
        assertThat(read("endpoints: []").suppression())
                .isEqualTo(new SuppressionConfig(
                        Duration.ofDays(7),
                        Duration.ofDays(90),
                        new SuppressionConfig.Escalation(10, BigDecimal.valueOf(2), "amount"),
                        Set.of()));
    }

    @Test
    void shouldReadTheOtherChannels() {
        AlertingConfig config = read("""
                endpoints:
                  - {name: team, channel: slack, url: "https://hooks.slack.com/services/T0/B0/hidden"}
                  - {name: ops, channel: pagerduty, routing-key: %s}
                """.formatted("h".repeat(32)));

        assertThat(config.endpoints())
                .extracting(EndpointConfig::channel)
                .containsExactly(new Channel.Slack(), new Channel.PagerDuty("h".repeat(32)));
        assertThat(config.endpoints().get(1).url().text()).isEqualTo("https://events.pagerduty.com/v2/enqueue");
        assertThat(config.toString()).doesNotContain("hidden").doesNotContain("hhhh");
    }

    @Test
    void shouldNotShowSecretsOrPathsInToString() {
        String url = "https://example.com/services/hidden?token=hidden";
        AlertingConfig config = read("endpoints: [{name: desk, url: '" + url + "', secrets: [" + SECRET + "]}]");

        assertThat(config.toString())
                .doesNotContain("hidden")
                .doesNotContain("MfKQ")
                .contains("whsec_***", "example.com");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "endpoint: []                       | did you mean 'endpoints'?",
                "cases: {idel: 7d}                  | did you mean 'idle'?",
                "cases: {keep: 1s}                  | a duration from 1m to 3650d",
                "escalation: {amount-facto: 3}      | did you mean 'amount-factor'?",
                "escalation: {amount-factor: 1}     | a number above 1",
                "escalation: {score: 0}             | an integer from 1",
                "quiet-rule: [a]                    | did you mean 'quiet-rules'?",
                "quiet-rules: a                     | expected a list",
                "retry: {fist: 1s}                  | did you mean 'first'?",
                "retry: {first: 2s, max: 1s}        | 0 < first <= max",
                "endpoints: [{nam: a}]              | did you mean 'name'?",
                "endpoints: [{name: 'a b', url: 'https://e.com', secrets: [S]}]     | expected an endpoint name",
                "endpoints: [{name: a, url: 'https://e.com', secrets: []}]          | at least one secret",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [abc]}]       | starts with whsec_",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [whsec_hush]}] | 24 to 64 bytes, found 3",
                "endpoints: [{name: a, url: 'https://e.com', secrets: ['whsec_hu sh']}] | whsec_ and base64",
                "endpoints: [{name: a, url: 'https://hush:hush@e.com', secrets: [S]}] | without user info",
                "endpoints: [{name: a, url: 'http://10.0.0.1/hush', secrets: [S]}]  | 10.0.0.1 is not public",
                "endpoints: [{name: a, url: 'http://[::ffff:169.254.169.254]/', secrets: [S]}] | 169.254.169.254 is not",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], max-in-flight: 0}] | from 1 to 1000",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], decisions: [drop]}] | approve, review or",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], decisions: []}]     | at least one decision",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], rules: []}]     | at least one rule",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], min-scor: 1}]   | did you mean 'min-score'?",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], min-amount: lots}] | an amount such as 250.00",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], amount-field: x}] | expected min-amount beside it",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], tls: {ca: /no/such/file}}] | tls.ca: expected a file that can be read",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], tls: {crt: x}}] | unknown key 'crt'",
                "endpoints: [{name: a, url: 'https://e.com', channel: slck}]   | webhook, slack or pagerduty",
                "endpoints: [{name: a, url: 'https://e.com', channel: slack, secrets: [S]}] | secrets: only for channel: webhook",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], routing-key: hush}] | only for channel: pagerduty",
                "endpoints: [{name: a, channel: pagerduty, routing-key: hush}] | routing key of 32 letters and digits",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S], max-per-second: 0}] | from 1 to 100000",
                "endpoints: [{name: a, url: 'https://e.com', secrets: [S]}, {name: a, url: 'https://e.com', secrets: [S]}] | two endpoints"
            })
    void shouldRefuseWithPlaceAndReasonButWithoutSecrets(String yaml, String reason) {
        assertThatThrownBy(() -> read(yaml.replace("[S]", "[" + SECRET + "]")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("vigil.yaml:1:")
                .hasMessageContaining(reason)
                .message()
                .doesNotContain("hush")
                .doesNotContain("MfKQ");
    }

    private static AlertingConfig read(String yaml) {
        return AlertingConfig.from(ConfigDocument.parse("vigil.yaml", yaml));
    }
}
