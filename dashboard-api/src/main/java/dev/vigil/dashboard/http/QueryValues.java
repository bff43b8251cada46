package dev.vigil.dashboard.http;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of a query's result as the page can show them: numbers that JavaScript holds exactly, everything else as text. */
final class QueryValues {
    /** Beyond it a JavaScript number is no longer exact. */
    private static final long MAX_SAFE_INTEGER = (1L << 53) - 1;

    private static final int MAX_EXACT_DIGITS = 15;

    private QueryValues() {}

    /** Null, a Boolean, a Number or a String; lists and structs as JSON text. */
    static @Nullable Object shown(@Nullable Object value) {
        return value instanceof List || value instanceof Map
                ? new String(ApiJson.encode(nested(value)), StandardCharsets.UTF_8)
                : scalar(value);
    }

    private static Object nested(Object value) {
        if (value instanceof List<?> list) {
            List<@Nullable Object> values = new ArrayList<>(list.size());
            list.forEach(item -> values.add(item == null ? null : nested(item)));
            return values;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            map.forEach((name, item) -> values.put(String.valueOf(name), item == null ? null : nested(item)));
            return values;
        }
        Object scalar = scalar(value);
        return scalar == null ? "" : scalar;
    }

    private static @Nullable Object scalar(@Nullable Object value) {
        if (value instanceof Long number) {
            return number > MAX_SAFE_INTEGER || number < -MAX_SAFE_INTEGER ? (Object) number.toString() : number;
        }
        if (value instanceof BigInteger number) {
            return number.bitLength() > 53 ? (Object) number.toString() : number;
        }
        if (value instanceof BigDecimal number) {
            return number.precision() > MAX_EXACT_DIGITS ? (Object) number.toPlainString() : number;
        }
        return value == null || value instanceof Boolean || value instanceof Number ? value : value.toString();
    }
}
