package dev.vigil.alerting.service;

import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.OutboxCounts.EndpointCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Totals of each endpoint as meters: one series per endpoint that there is, none from data. Safe for any thread. */
final class EndpointMeters {
    private final MeterRegistry registry;
    private final Map<String, List<Meter>> meters = new HashMap<>();

    EndpointMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Those of these endpoints, and no others. */
    synchronized void keep(Outbox outbox, Collection<String> endpoints) {
        for (String name : endpoints) {
            meters.computeIfAbsent(name, endpoint -> registered(outbox, endpoint));
        }
        Set<String> names = Set.copyOf(endpoints);
        for (Iterator<Map.Entry<String, List<Meter>>> all = meters.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, List<Meter>> entry = all.next();
            if (!names.contains(entry.getKey())) {
                entry.getValue().forEach(registry::remove);
                all.remove();
            }
        }
    }

    private List<Meter> registered(Outbox outbox, String endpoint) {
        return List.of(
                counter(outbox, "vigil.alerting.delivered", endpoint, EndpointCounts::delivered),
                counter(outbox, "vigil.alerting.failed.attempts", endpoint, EndpointCounts::failedAttempts),
                counter(outbox, "vigil.alerting.given.up", endpoint, EndpointCounts::givenUp),
                counter(outbox, "vigil.alerting.redelivered", endpoint, EndpointCounts::redelivered),
                Gauge.builder(
                                "vigil.alerting.pending",
                                outbox,
                                o -> o.counts().endpoint(endpoint).pending())
                        .tag("endpoint", endpoint)
                        .register(registry));
    }

    private Meter counter(Outbox outbox, String name, String endpoint, ToDoubleFunction<EndpointCounts> count) {
        return FunctionCounter.builder(
                        name, outbox, o -> count.applyAsDouble(o.counts().endpoint(endpoint)))
                .tag("endpoint", endpoint)
                .register(registry);
    }
}
