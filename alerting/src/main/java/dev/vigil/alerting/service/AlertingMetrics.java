package dev.vigil.alerting.service;

import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.OutboxCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;

/** Totals of the outbox as meters, but for those of single endpoints. */
final class AlertingMetrics {
    private AlertingMetrics() {}

    static void register(MeterRegistry registry, Outbox outbox) {
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

    private static void counter(
            MeterRegistry registry, Outbox outbox, String name, ToDoubleFunction<OutboxCounts> count) {
        FunctionCounter.builder(name, outbox, o -> count.applyAsDouble(o.counts()))
                .register(registry);
    }
}
