package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.ServiceState;
import dev.vigil.service.status.SnapshotStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SnapshotLineTest {
    private final StringWriter written = new StringWriter();

    @Test
    void shouldShowASnapshotOnOneLineAndTakeItAwayInTheEnd() {
        SnapshotLine line = new SnapshotLine(new PrintWriter(written), true);
        line.show(status(null));
        assertThat(written.toString()).isEmpty();

        line.show(status(new SnapshotStatus("public.transactions", 1_500, 3_000L, false)));
        line.show(status(null));
        line.show(status(null));

        assertThat(written.toString())
                .isEqualTo("\r\u001b[Ksnapshot [===============               ]  50 %  1,500 rows of about 3,000, now"
                        + " public.transactions\r\u001b[K");
    }

    @Test
    void shouldStayWithinItsWidthWhereTheEstimateWasTooLow() {
        assertThat(SnapshotLine.text(new SnapshotStatus("public.t", 5_000, 3_000L, false)))
                .isEqualTo("snapshot [==============================] 100 %  5,000 rows of about 3,000, now public.t");
        assertThat(SnapshotLine.text(new SnapshotStatus("public.t", 5_000, null, true)))
                .isEqualTo("snapshot of public.t: 5,000 rows");
    }

    @Test
    void shouldStayQuietInAPipe() {
        new SnapshotLine(new PrintWriter(written), false)
                .show(status(new SnapshotStatus("public.transactions", 1_500, 3_000L, false)));

        assertThat(written.toString()).isEmpty();
    }

    private static CdcStatus status(@Nullable SnapshotStatus snapshot) {
        return new CdcStatus(
                "cdc-ingest", ServiceState.RUNNING, null, "snapshot", 0, 0, 0, 0, 0, 0, 0, 0, null, null, snapshot);
    }
}
