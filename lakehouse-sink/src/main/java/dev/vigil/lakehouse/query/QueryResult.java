package dev.vigil.lakehouse.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of an answer.
 *
 * @param rows values in column order, absent for NULL: String, Boolean, Integer, Long, BigInteger, BigDecimal, Float,
 *     Double, Instant (TIMESTAMP WITH TIME ZONE), LocalDate, LocalTime, LocalDateTime, List of values (list), Map of
 *     names to values (struct, map); anything else as text
 * @param truncated there are more rows than the limit
 * @param filesRead data files of the tables that the query names
 */
public record QueryResult(
        List<Column> columns, List<List<@Nullable Object>> rows, boolean truncated, int filesRead, long elapsedMs) {
    public QueryResult {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** @param type as DuckDB names it: BIGINT, DECIMAL(38,2), TIMESTAMP WITH TIME ZONE */
    public record Column(String name, String type) {}
}
