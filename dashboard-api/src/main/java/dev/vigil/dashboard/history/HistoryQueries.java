package dev.vigil.dashboard.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SQL over history, as the API needs it; the launcher gives it an implementation. Called by several threads at once. */
@FunctionalInterface
public interface HistoryQueries {
    /**
     * Runs one read-only statement and returns its first rows. Blocks until it is done or the time is over.
     *
     * @param maxRows most rows to return; {@link Table#truncated} says whether there were more
     * @throws HistoryException in every case in which there is no table to return
     */
    Table query(String sql, int maxRows, Duration timeout);

    /**
     * A result.
     *
     * @param rows values in column order: null, Boolean, Number, String, List, Map (struct); anything else is shown as its
     *     text
     */
    record Table(List<Column> columns, List<List<@Nullable Object>> rows, boolean truncated) {
        public Table {
            columns = List.copyOf(columns);
            List<List<@Nullable Object>> copies = new ArrayList<>(rows.size());
            rows.forEach(row -> copies.add(Collections.unmodifiableList(new ArrayList<>(row))));
            rows = Collections.unmodifiableList(copies);
        }
    }

    /** A column; the type as the query engine calls it. */
    record Column(String name, String type) {}
}
