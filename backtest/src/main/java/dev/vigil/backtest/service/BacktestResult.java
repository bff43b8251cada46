package dev.vigil.backtest.service;

import dev.vigil.backtest.BacktestReport;
import java.nio.file.Path;
import java.util.List;

/**
 * A finished backtest.
 *
 * @param files written, the report first
 */
public record BacktestResult(BacktestReport report, List<Path> files) {
    public BacktestResult {
        files = List.copyOf(files);
    }

    /** Whether every record read is accounted for, under each policy. */
    public boolean isBalanced() {
        return report.result().balanced()
                && (report.baseline() == null || report.baseline().balanced());
    }
}
