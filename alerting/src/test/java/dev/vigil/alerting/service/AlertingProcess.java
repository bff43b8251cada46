package dev.vigil.alerting.service;

import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.RetryConfig;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.KafkaConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The service in a process of its own, to be killed. Arguments: bootstrap servers, topic prefix, directory, URL, secret. */
final class AlertingProcess {
    private AlertingProcess() {}

    public static void main(String[] args) throws InterruptedException {
        KafkaConfig kafka = new KafkaConfig(
                args[0], new TopicNames(args[1]), 2, (short) 1, (short) 1, Duration.ofDays(30), Map.of());
        Alerting alerting = new Alerting(
                kafka,
                config(args[3], args[4]),
                Path.of(args[2]),
                Clock.systemUTC()::millis,
                new SimpleMeterRegistry());
        alerting.start();
        Thread.sleep(Long.MAX_VALUE);
    }

    static AlertingConfig config(String url, String secret) {
        return new AlertingConfig(
                List.of(EndpointConfig.ofPrivate("receiver", url, new WebhookSecret(secret))),
                new RetryConfig(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofDays(3)),
                Duration.ofSeconds(6),
                false);
    }

    static Process start(KafkaConfig kafka, Path directory, String url, String secret) throws java.io.IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AlertingProcess.class.getName(),
                        kafka.bootstrapServers(),
                        kafka.topics().prefix(),
                        directory.toString(),
                        url,
                        secret)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolveSibling("alerting-process.log").toFile())
                .start();
    }
}
