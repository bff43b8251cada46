package dev.vigil.lakehouse.service;

import dev.vigil.lakehouse.SinkCounts;
import dev.vigil.lakehouse.SinkStatus;
import dev.vigil.lakehouse.TableSink;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A table's sink as metrics, all tagged {@code table}. Times are ms since the epoch, NaN until known. */
final class SinkMeters {
    private static final String PREFIX = "vigil.lakehouse.";

    private SinkMeters() {}

    static void register(MeterRegistry meters, TableSink sink) {
        counter(meters, sink, "rows", SinkCounts::rows);
        counter(meters, sink, "repeats", SinkCounts::repeats);
        counter(meters, sink, "refused", SinkCounts::refused);
        counter(meters, sink, "commits", SinkCounts::commits);
        counter(meters, sink, "failures", SinkCounts::failures);
        gauge(meters, sink, "misfits", SinkStatus::misfits);
        gauge(meters, sink, "pending.rows", SinkStatus::pendingRows);
        gauge(meters, sink, "fresh.until.ms", status -> known(status.freshUntilMs()));
        gauge(
                meters,
                sink,
                "last.commit.at.ms",
                status -> known(status.committed().committedAtMs()));
        gauge(meters, sink, "stuck", status -> status.problem() == null ? 0 : 1);
    }

    private static double known(@Nullable Long timeMs) {
        return timeMs == null || timeMs == 0 ? Double.NaN : timeMs;
    }

    private static void counter(MeterRegistry meters, TableSink sink, String name, ToDoubleFunction<SinkCounts> value) {
        FunctionCounter.builder(PREFIX + name, sink.counts(), value)
                .tag("table", sink.table().tableName())
                .register(meters);
    }

    private static void gauge(MeterRegistry meters, TableSink sink, String name, ToDoubleFunction<SinkStatus> value) {
        Gauge.builder(PREFIX + name, sink, s -> value.applyAsDouble(s.status()))
                .tag("table", sink.table().tableName())
                .register(meters);
    }
}
