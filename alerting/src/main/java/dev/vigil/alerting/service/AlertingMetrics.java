package dev.vigil.alerting.service;

import dev.vigil.alerting.IntakeBatch;
import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.OutboxCounts;
import dev.vigil.alerting.cases.SuppressionReason;
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
        reason(registry, outbox, SuppressionReason.COOLDOWN, IntakeBatch.Counts::cooledDown);
        reason(
                registry,
                outbox,
                SuppressionReason.SNOOZE,
                intake -> intake.cases().snoozed());
        reason(
                registry,
                outbox,
                SuppressionReason.QUIET,
                intake -> intake.cases().quiet());
        ofCases(registry, outbox, "vigil.alerting.escalated", IntakeBatch.CaseCounts::escalated);
        ofCases(registry, outbox, "vigil.alerting.cases.opened", IntakeBatch.CaseCounts::opened);
        ofCases(registry, outbox, "vigil.alerting.cases.expired", IntakeBatch.CaseCounts::expired);
        ofCases(registry, outbox, "vigil.alerting.case.actions", IntakeBatch.CaseCounts::actions);
        ofCases(registry, outbox, "vigil.alerting.case.actions.refused", IntakeBatch.CaseCounts::refused);
        ofCases(registry, outbox, "vigil.alerting.case.actions.repeated", IntakeBatch.CaseCounts::repeated);
        ofCases(registry, outbox, "vigil.alerting.case.actions.caseless", IntakeBatch.CaseCounts::caseless);
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

    private static void reason(
            MeterRegistry registry,
            Outbox outbox,
            SuppressionReason reason,
            ToDoubleFunction<IntakeBatch.Counts> count) {
        FunctionCounter.builder(
                        "vigil.alerting.suppressed",
                        outbox,
                        o -> count.applyAsDouble(o.counts().intake()))
                .tag("reason", reason.label())
                .register(registry);
    }

    private static void ofCases(
            MeterRegistry registry, Outbox outbox, String name, ToDoubleFunction<IntakeBatch.CaseCounts> count) {
        counter(
                registry,
                outbox,
                name,
                counts -> count.applyAsDouble(counts.intake().cases()));
    }
}
