package dev.vigil.lakehouse.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers, and their nested values, as JSON. */
final class JsonText {
    /** Records leave absent values out; an answer says that they are null. */
    private static final JsonMapper MAPPER = Json.mapper()
            .rebuild()
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS))
            .build();

    private JsonText() {}

    static String write(QueryResult result) {
        StringBuilder text = new StringBuilder("[");
        String separator = "\n";
        for (List<@Nullable Object> row : result.rows()) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            for (int i = 0; i < row.size(); i++) {
                object.put(uniqueName(object, result.columns().get(i).name()), tree(row.get(i)));
            }
            text.append(separator).append(encode(object));
            separator = ",\n";
        }
        return text.append(result.rows().isEmpty() ? "]\n" : "\n]\n").toString();
    }

    /** SQL may name two columns alike, an object may not. */
    private static String uniqueName(Map<String, @Nullable Object> taken, String name) {
        String unique = name;
        for (int i = 2; taken.containsKey(unique); i++) {
            unique = name + "_" + i;
        }
        return unique;
    }

    /** A value on one line; what {@link #tree} gives, or a container of it. */
    static String encode(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /** The value with only what JSON has: NaN and infinities become null, times become text. */
    static @Nullable Object tree(@Nullable Object value) {
        if (value instanceof Double number) {
            return Double.isFinite(number) ? number : null;
        }
        if (value instanceof Float number) {
            return Float.isFinite(number) ? number : null;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            map.forEach((name, child) -> values.put(String.valueOf(name), tree(child)));
            return values;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> values = new ArrayList<>();
            list.forEach(child -> values.add(tree(child)));
            return values;
        }
        if (value instanceof Instant time) {
            return time(time);
        }
        return value == null || value instanceof Number || value instanceof Boolean ? value : value.toString();
    }

    static String time(Instant time) {
        try {
            return EventTimes.format(EventTimes.fromInstant(time));
        } catch (ArithmeticException | DateTimeException e) {
            return time.toString();
        }
    }
}
