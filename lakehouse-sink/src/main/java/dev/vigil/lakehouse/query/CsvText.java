package dev.vigil.lakehouse.query;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers as comma-separated values. */
final class CsvText {
    private CsvText() {}

    static String write(QueryResult result) {
        StringBuilder text = new StringBuilder();
        text.append(result.columns().stream()
                        .map(column -> quoted(column.name()))
                        .collect(Collectors.joining(",")))
                .append('\n');
        for (List<@Nullable Object> row : result.rows()) {
            text.append(row.stream().map(CsvText::field).collect(Collectors.joining(",")))
                    .append('\n');
        }
        return text.toString();
    }

    private static String field(@Nullable Object value) {
        return value == null ? "" : quoted(plain(value));
    }

    /** A value as text, nested ones as JSON. */
    static String plain(Object value) {
        if (value instanceof Instant time) {
            return JsonText.time(time);
        }
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        return value instanceof Map || value instanceof List
                ? JsonText.encode(Objects.requireNonNull(JsonText.tree(value)))
                : value.toString();
    }

    private static String quoted(String text) {
        boolean plain = !text.isEmpty() && text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
