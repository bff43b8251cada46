package dev.vigil.benchmarks;

import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.RetryConfig;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.service.Alerting;
import dev.vigil.service.status.AlertingStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Alerting alone in its process. Arguments: bootstrap servers, topic prefix, partitions, data directory, then the URL of each endpoint.
 * For every line on its standard input it prints how many alerts it took, how many deliveries were made, how many are pending.
 */
final class AlertingMain {
    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private AlertingMain() {}

    public static void main(String[] args) throws IOException {
        List<EndpointConfig> endpoints = new ArrayList<>();
        for (String url : Arrays.asList(args).subList(4, args.length)) {
            endpoints.add(EndpointConfig.ofPrivate("endpoint-" + endpoints.size(), url, new WebhookSecret(SECRET)));
        }
        RetryConfig retry = new RetryConfig(Duration.ofMillis(500), Duration.ofSeconds(5), Duration.ofDays(3));
        try (Alerting alerting = new Alerting(
                EngineMain.kafka(args[0], args[1], Integer.parseInt(args[2])),
                new AlertingConfig(endpoints, retry, AlertingConfig.TAKE_OVER_AFTER, false),
                Path.of(args[3]),
                System::currentTimeMillis,
                new SimpleMeterRegistry())) {
            alerting.start();
            while (System.in.read() >= 0) {
                AlertingStatus status = alerting.status();
                System.out.println(status.alerts() + " " + status.delivered() + " " + status.pending());
            }
        }
    }
}
