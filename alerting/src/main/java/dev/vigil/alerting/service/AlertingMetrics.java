package dev.vigil.alerting.service;

import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.OutboxCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;

/** Totals of the outbox as meters; one series per endpoint of the configuration, none from data. */
final class AlertingMetrics {
    private AlertingMetrics() {}

    static void register(MeterRegistry registry, Outbox outbox, List<EndpointConfig> endpoints) {
        counter(
                registry,
                outbox,
                "vigil.alerting.alerts",
                counts -> counts.intake().alerts());
        counter(
                registry,
                outbox,
                "vigil.alerting.suppressed",
                counts -> counts.intake().suppressed());
        counter(
                registry,
                outbox,
                "vigil.alerting.unrouted",
                counts -> counts.intake().unrouted());
        counter(
                registry,
                outbox,
                "vigil.alerting.duplicates",
                counts -> counts.intake().duplicates());
        counter(
                registry,
                outbox,
                "vigil.alerting.dead.lettered",
                counts -> counts.intake().deadLettered());
        for (EndpointConfig endpoint : endpoints) {
            endpointMeters(registry, outbox, endpoint.name());
        }
    }

    /** Ingest of the event to acceptance by a receiver. */
    static Timer latencyTimer(MeterRegistry registry) {
        return Timer.builder("vigil.alerting.latency")
                .publishPercentileHistogram()
                .maximumExpectedValue(Duration.ofMinutes(1))
                .register(registry);
    }

    /** 1 for the instance that delivers, 0 for one that stands by. */
    static void registerDelivering(MeterRegistry registry, BooleanSupplier delivering) {
        Gauge.builder("vigil.alerting.delivering", delivering, of -> of.getAsBoolean() ? 1 : 0)
                .register(registry);
    }

    private static void endpointMeters(MeterRegistry registry, Outbox outbox, String endpoint) {
        counter(registry, outbox, "vigil.alerting.delivered", endpoint, OutboxCounts.EndpointCounts::delivered);
        counter(
                registry,
                outbox,
                "vigil.alerting.failed.attempts",
                endpoint,
                OutboxCounts.EndpointCounts::failedAttempts);
        counter(registry, outbox, "vigil.alerting.given.up", endpoint, OutboxCounts.EndpointCounts::givenUp);
        Gauge.builder(
                        "vigil.alerting.pending",
                        outbox,
                        o -> o.counts().endpoint(endpoint).pending())
                .tag("endpoint", endpoint)
                .register(registry);
    }

    private static void counter(
            MeterRegistry registry, Outbox outbox, String name, ToDoubleFunction<OutboxCounts> count) {
        FunctionCounter.builder(name, outbox, o -> count.applyAsDouble(o.counts()))
                .register(registry);
    }

    private static void counter(
            MeterRegistry registry,
            Outbox outbox,
            String name,
            String endpoint,
            ToDoubleFunction<OutboxCounts.EndpointCounts> count) {
        FunctionCounter.builder(
                        name, outbox, o -> count.applyAsDouble(o.counts().endpoint(endpoint)))
                .tag("endpoint", endpoint)
                .register(registry);
    }
}
