package dev.vigil.dashboard.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.RecordCounts;
import dev.vigil.service.status.ServiceState;
import dev.vigil.service.status.ServiceStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LiveSnapshotTest {
    private static EngineStatus.PartitionStatus partition(
            int number, long read, @Nullable Long watermarkUs, @Nullable Long checkpointAtMs) {
        RecordCounts counts = new RecordCounts(read, read - 1, 1, 0, 0, 0, 0, 0);
        return new EngineStatus.PartitionStatus(
                number, read, read + 5, watermarkUs, counts, read / 10, 0, 0, checkpointAtMs, checkpointAtMs, null);
    }

    private static EngineStatus engine(EngineStatus.PartitionStatus... partitions) {
        return new EngineStatus(
                "scoring-engine",
                ServiceState.RUNNING,
                null,
                "p",
                2,
                RecordCounts.ZERO,
                0,
                LatencyStatus.NONE,
                new LatencyStatus(5, 1, 2, 3, 4),
                List.of(partitions));
    }

    @Test
    void shouldBringThePartitionsOfSeveralProcessesTogether() {
        List<ServiceStatus> services = List.of(
                engine(partition(1, 100, 7L, 50L)), engine(partition(0, 40, 9L, 70L), partition(2, 0, null, null)));
        LiveSnapshot snapshot = LiveSnapshot.of(1_000, RateMeter.Rates.UNKNOWN, services);
        assertThat(snapshot.partitions())
                .extracting(LiveSnapshot.Partition::partition)
                .containsExactly(0, 1, 2);
        assertThat(snapshot.lagRecords()).isEqualTo(15);
        assertThat(snapshot.watermarkUs()).isEqualTo(7);
        assertThat(snapshot.checkpointAtMs()).isEqualTo(70);
        assertThat(snapshot.oldestCheckpointAtMs()).isEqualTo(50);
        assertThat(snapshot.decisionLatency().total()).as("no measurement").isNull();
        assertThat(snapshot.commit()).isNull();
    }

    @Test
    void shouldTellRatesFromTheGrowthOfEachPartition() {
        RateMeter meter = new RateMeter();
        assertThat(meter.update(0, List.of(engine(partition(0, 100, null, null)))))
                .isEqualTo(RateMeter.Rates.UNKNOWN);
        RateMeter.Rates rates =
                meter.update(2_000, List.of(engine(partition(0, 150, null, null), partition(1, 9_000, null, null))));
        assertThat(rates.eventsPerSecond())
                .as("a partition seen first adds nothing")
                .isEqualTo(25.0);
        assertThat(rates.alertsPerSecond()).isEqualTo(2.5);
        assertThat(meter.update(3_000, List.of(engine(partition(0, 20, null, null))))
                        .eventsPerSecond())
                .as("back at a checkpoint")
                .isEqualTo(0.0);
        assertThat(meter.update(4_000, List.of())).isEqualTo(RateMeter.Rates.UNKNOWN);
    }
}
