package dev.vigil.backtest.csv;

import dev.vigil.backtest.Outcome;
import dev.vigil.backtest.ScoredColumns;
import dev.vigil.backtest.ScoredColumns.Column;
import dev.vigil.event.EventTimes;
import dev.vigil.event.FieldType;
import dev.vigil.scoring.ScoredView;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of scored events as CSV, in the order of {@link ScoredColumns}. Times are RFC 3339 in UTC. */
public final class CsvScoredRows implements AutoCloseable {
    private final ScoredColumns columns;
    private final List<String> rules;
    private final boolean withBaseline;
    private final CsvWriter out;

    /** @param rules ids in policy order */
    public CsvScoredRows(OutputStream out, ScoredColumns columns, List<String> rules, boolean withBaseline)
            throws IOException {
        this.columns = columns;
        this.rules = List.copyOf(rules);
        this.withBaseline = withBaseline;
        this.out = new CsvWriter(out, columns.names());
    }

    public void write(ScoredView scored, Outcome baseline) throws IOException {
        out.text(scored.eventId())
                .text(scored.account())
                .plain(EventTimes.format(scored.eventTimeUs()))
                .plain(scored.score())
                .plain(scored.decision().label())
                .text(hits(scored));
        if (withBaseline) {
            out.plain(baseline.isScored() ? baseline.score() : null)
                    .plain(baseline.isScored() ? baseline.decision().label() : null);
        }
        int features = columns.columns().size() - columns.fixed();
        for (int i = 0; i < features; i++) {
            feature(columns.columns().get(columns.fixed() + i), scored.feature(i));
        }
        out.endRow();
    }

    private void feature(Column column, @Nullable Object value) throws IOException {
        if (value != null && column.type() == FieldType.STRING) {
            out.text((String) value);
        } else if (value != null && column.type() == FieldType.TIMESTAMP) {
            out.plain(EventTimes.format((Long) value));
        } else {
            out.plain(value);
        }
    }

    /** Ids of the rules that hit, shadow rules included, with commas between them. */
    private String hits(ScoredView scored) {
        String hits = "";
        for (int i = 0; i < rules.size(); i++) {
            if (scored.hit(i)) {
                hits = hits.isEmpty() ? rules.get(i) : hits + "," + rules.get(i);
            }
        }
        return hits;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
