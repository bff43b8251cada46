package dev.vigil.cdc.debezium;

import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.ServiceState;
import dev.vigil.service.status.SnapshotStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What change capture tells of itself, as meters without labels. NaN where a figure is not known. */
final class CdcMeters {
    private static final double US_PER_MS = 1_000;

    private CdcMeters() {}

    static void register(MeterRegistry meters, CdcIngest capture) {
        counter(meters, capture, "vigil.cdc.rows", CdcStatus::rowsRead);
        counter(meters, capture, "vigil.cdc.published", CdcStatus::published);
        counter(meters, capture, "vigil.cdc.dead.lettered", CdcStatus::deadLettered);
        counter(meters, capture, "vigil.cdc.skipped", CdcStatus::skipped);
        counter(meters, capture, "vigil.cdc.passed.over", CdcStatus::passedOver);
        counter(meters, capture, "vigil.cdc.kept", CdcStatus::kept);
        counter(meters, capture, "vigil.cdc.vanished", CdcStatus::vanished);
        gauge(meters, capture, "vigil.cdc.waiting", CdcStatus::waiting);
        gauge(meters, capture, "vigil.cdc.snapshot.rows", status -> {
            SnapshotStatus snapshot = status.snapshot();
            return snapshot == null ? 0 : snapshot.rows();
        });
        gauge(meters, capture, "vigil.cdc.slot.lag.bytes", status -> known(status.slotLagBytes()));
        gauge(meters, capture, "vigil.cdc.last.event.time.ms", status -> known(status.lastEventTimeUs()) / US_PER_MS);
        Gauge.builder("vigil.cdc.policy.misfits", capture, CdcIngest::misfitCount)
                .register(meters);
        gauge(meters, capture, "vigil.cdc.streaming", status -> isStreaming(status) ? 1 : 0);
    }

    /** Whether changes flow: the snapshot is done, and the connection stands. */
    private static boolean isStreaming(CdcStatus status) {
        return status.state() == ServiceState.RUNNING
                && status.problem() == null
                && status.phase().equals(CaptureProgress.PHASE_STREAMING);
    }

    private static double known(@Nullable Long value) {
        return value == null ? Double.NaN : value;
    }

    private static void counter(
            MeterRegistry meters, CdcIngest capture, String name, ToDoubleFunction<CdcStatus> value) {
        FunctionCounter.builder(name, capture, c -> value.applyAsDouble(c.status()))
                .register(meters);
    }

    private static void gauge(MeterRegistry meters, CdcIngest capture, String name, ToDoubleFunction<CdcStatus> value) {
        Gauge.builder(name, capture, c -> value.applyAsDouble(c.status())).register(meters);
    }
}
