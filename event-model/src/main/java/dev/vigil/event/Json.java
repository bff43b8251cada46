package dev.vigil.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * JSON of the records of this package: snake_case names in declaration order, absent values left out, numbers with a
 * point as exact decimals where a type is not given. Unknown properties are ignored on reading, so that a newer writer
 * does not stop an older reader. Safe for any thread.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .serializationInclusion(JsonInclude.Include.NON_NULL)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private Json() {}

    /** The shared mapper, for edges that need more than the methods here. Never reconfigure it. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    public static byte[] encode(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /** @throws UncheckedIOException if the bytes are not JSON of that type */
    public static <T> T decode(byte[] bytes, Class<T> type) {
        try {
            return MAPPER.readValue(bytes, type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A JSON object as a map in document order; integers as Integer, Long or BigInteger, other numbers as BigDecimal.
     *
     * @throws UncheckedIOException if the bytes are no JSON object
     */
    public static Map<String, Object> decodeObject(byte[] bytes) {
        try {
            return MAPPER.readValue(bytes, OBJECT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
