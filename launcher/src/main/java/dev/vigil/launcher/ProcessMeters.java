package dev.vigil.launcher;

import dev.vigil.service.VigilService;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.Map;

/** What every process tells of itself: which of its services run, and how the JVM does. */
final class ProcessMeters implements AutoCloseable {
    private final JvmGcMetrics collections = new JvmGcMetrics();

    ProcessMeters(MeterRegistry meters, Map<ServiceName, VigilService> services) {
        services.forEach((name, service) -> Gauge.builder("vigil.service.up", service, ProcessMeters::up)
                .tag("service", name.label())
                .register(meters));
        new JvmMemoryMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        new UptimeMetrics().bindTo(meters);
        collections.bindTo(meters);
    }

    private static double up(VigilService service) {
        return service.status().state() == ServiceState.RUNNING ? 1 : 0;
    }

    @Override
    public void close() {
        collections.close();
    }
}
