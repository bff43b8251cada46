package dev.vigil.engine.kafka;

import dev.vigil.service.LatencyRecorder;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import dev.vigil.service.status.RecordCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where each partition of the log stands, tagged {@code partition}, and how fast decisions are made. One series per
 * partition that the log has; NaN while another process scores it, or while a figure is not known yet.
 */
final class PartitionMeters {
    private static final double US_PER_MS = 1_000;

    private PartitionMeters() {}

    /** @param statuses of the partitions that this process scores */
    static void register(
            MeterRegistry meters,
            int partitions,
            LongAdder decisions,
            LatencyRecorder latency,
            Supplier<List<PartitionStatus>> statuses) {
        FunctionCounter.builder("vigil.engine.decisions", decisions, LongAdder::sum)
                .description("Events scored by this process")
                .register(meters);
        Gauge.builder("vigil.engine.latency.p50.ms", latency, l -> l.recent().p50Ms())
                .register(meters);
        Gauge.builder("vigil.engine.latency.p999.ms", latency, l -> l.recent().p999Ms())
                .register(meters);
        for (int partition = 0; partition < partitions; partition++) {
            Series series = new Series(meters, partition, statuses);
            series.gauge("lag", PartitionStatus::lag);
            series.gauge("alerts", PartitionStatus::alerts);
            series.gauge("corrections", PartitionStatus::corrections);
            series.gauge("summaries", PartitionStatus::summaries);
            series.gauge("watermark.ms", status -> known(status.watermarkUs()) / US_PER_MS);
            series.gauge("checkpoint.at.ms", status -> known(status.checkpointAtMs()));
            series.records("read", RecordCounts::read);
            series.records("scored", RecordCounts::scored);
            series.records("control", RecordCounts::control);
            series.records("reference", RecordCounts::reference);
            series.records("label", RecordCounts::label);
            series.records("duplicate", RecordCounts::duplicate);
            series.records("late", RecordCounts::late);
            series.records("dead_lettered", RecordCounts::deadLettered);
        }
    }

    private static double known(@Nullable Long value) {
        return value == null ? Double.NaN : value;
    }

    private record Series(MeterRegistry meters, int partition, Supplier<List<PartitionStatus>> statuses) {
        void gauge(String name, ToDoubleFunction<PartitionStatus> value) {
            Gauge.builder("vigil.engine.partition." + name, () -> current(value))
                    .tag("partition", Integer.toString(partition))
                    .register(meters);
        }

        /** What became of the partition's records, since the log's start; the ends add up to those read. */
        void records(String end, ToDoubleFunction<RecordCounts> value) {
            Gauge.builder("vigil.engine.partition.records", () -> current(s -> value.applyAsDouble(s.counts())))
                    .tag("partition", Integer.toString(partition))
                    .tag("end", end)
                    .register(meters);
        }

        private double current(ToDoubleFunction<PartitionStatus> value) {
            return statuses.get().stream()
                    .filter(status -> status.partition() == partition)
                    .mapToDouble(value)
                    .findFirst()
                    .orElse(Double.NaN);
        }
    }
}
