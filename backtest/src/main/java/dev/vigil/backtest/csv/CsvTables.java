package dev.vigil.backtest.csv;

import dev.vigil.backtest.ChangedEvent;
import dev.vigil.backtest.SetAsideRecord;
import dev.vigil.event.Decision;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The small tables beside the scored events: what was not scored, and what changed against the baseline. */
public final class CsvTables implements AutoCloseable {
    private final CsvWriter setAside;
    private final @Nullable CsvWriter changes;

    /** @param changes absent without a baseline */
    public CsvTables(OutputStream setAside, @Nullable OutputStream changes) throws IOException {
        this.setAside = new CsvWriter(setAside, List.of("position", "end", "reason", "detail"));
        this.changes = changes == null
                ? null
                : new CsvWriter(
                        changes,
                        List.of(
                                "change",
                                "event_id",
                                "account",
                                "event_time",
                                "decision",
                                "score",
                                "baseline_decision",
                                "baseline_score",
                                "label"));
    }

    public void setAside(SetAsideRecord record) throws IOException {
        setAside.text(record.position())
                .plain(record.end())
                .plain(record.reason())
                .text(record.detail())
                .endRow();
    }

    public void changed(ChangedEvent event) throws IOException {
        if (changes != null) {
            changes.plain(event.change())
                    .text(event.eventId())
                    .text(event.account())
                    .plain(event.eventTime())
                    .plain(label(event.decision()))
                    .plain(event.score())
                    .plain(label(event.baselineDecision()))
                    .plain(event.baselineScore())
                    .plain(event.label().text())
                    .endRow();
        }
    }

    private static @Nullable String label(@Nullable Decision decision) {
        return decision == null ? null : decision.label();
    }

    @Override
    public void close() throws IOException {
        try {
            setAside.close();
        } finally {
            if (changes != null) {
                changes.close();
            }
        }
    }
}
