package dev.vigil.launcher;

import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.ServiceStatus;
import dev.vigil.service.status.SnapshotStatus;
import java.io.PrintWriter;
import java.util.Locale;

/** How far a snapshot is, on one line of a terminal that is written over; nothing in a pipe. One thread. */
final class SnapshotLine {
    private static final int BAR_WIDTH = 30;

    private final PrintWriter terminal;
    private final boolean isTerminal;
    private boolean shown;

    SnapshotLine(PrintWriter terminal, boolean isTerminal) {
        this.terminal = terminal;
        this.isTerminal = isTerminal;
    }

    /** Called now and then. */
    void show(ServiceStatus status) {
        SnapshotStatus snapshot = status instanceof CdcStatus cdc ? cdc.snapshot() : null;
        if (!isTerminal || snapshot == null && !shown) {
            return;
        }
        // Back to the line's beginning, and away with what stood there.
        terminal.print("\r\u001b[K" + (snapshot == null ? "" : text(snapshot)));
        terminal.flush();
        shown = snapshot != null;
    }

    static String text(SnapshotStatus snapshot) {
        Long expected = snapshot.expectedRows();
        String rows = String.format(Locale.ROOT, "%,d rows", snapshot.rows());
        if (expected == null || expected <= 0) {
            return "snapshot of " + snapshot.table() + ": " + rows;
        }
        // The expectation is an estimate, so the end may come before or after it.
        double part = Math.min(1, (double) snapshot.rows() / expected);
        int filled = (int) (part * BAR_WIDTH);
        return String.format(
                Locale.ROOT,
                "snapshot [%s%s] %3.0f %%  %s of about %,d, now %s",
                "=".repeat(filled),
                " ".repeat(BAR_WIDTH - filled),
                part * 100,
                rows,
                expected,
                snapshot.table());
    }
}
