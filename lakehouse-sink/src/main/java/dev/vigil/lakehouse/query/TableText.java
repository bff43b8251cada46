package dev.vigil.lakehouse.query;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers as aligned columns; numbers to the right, long values cut. */
final class TableText {
    private static final int MAX_WIDTH = 60;
    private static final String NUMERIC =
            "(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|UHUGEINT|FLOAT|DOUBLE|DECIMAL.*)";

    private TableText() {}

    static String write(QueryResult result) {
        int columns = result.columns().size();
        List<String> names =
                result.columns().stream().map(QueryResult.Column::name).toList();
        List<List<String>> cells = new ArrayList<>();
        for (List<@Nullable Object> row : result.rows()) {
            cells.add(row.stream().map(TableText::cell).toList());
        }
        int[] widths = new int[columns];
        boolean[] right = new boolean[columns];
        for (int i = 0; i < columns; i++) {
            right[i] = result.columns().get(i).type().matches(NUMERIC);
            widths[i] = names.get(i).length();
            for (List<String> row : cells) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        line(text, names, widths, right);
        for (int i = 0; i < columns; i++) {
            text.append(i == 0 ? "" : "  ").append("-".repeat(widths[i]));
        }
        text.append('\n');
        cells.forEach(row -> line(text, row, widths, right));
        return text.append(footer(result)).toString();
    }

    private static void line(StringBuilder text, List<String> cells, int[] widths, boolean[] right) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - cells.get(i).length());
            line.append(i == 0 ? "" : "  ").append(right[i] ? padding + cells.get(i) : cells.get(i) + padding);
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static String cell(@Nullable Object value) {
        String text = value == null ? "NULL" : CsvText.plain(value).replaceAll("\\p{Cntrl}", " ");
        return text.length() > MAX_WIDTH ? text.substring(0, MAX_WIDTH - 1) + "…" : text;
    }

    private static String footer(QueryResult result) {
        int rows = result.rows().size();
        return "(" + rows + (rows == 1 ? " row" : " rows") + (result.truncated() ? ", more cut off" : "") + ")\n";
    }
}
