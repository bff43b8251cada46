package dev.vigil.dashboard.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.vigil.event.Json;
import io.javalin.http.Context;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Answers as JSON: the shared form of the records, with null for what JSON has no number for (NaN, infinities). */
final class ApiJson {
    private static final JsonMapper MAPPER = Json.mapper()
            .rebuild()
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new FiniteOrNull())
                    .addSerializer(Double.TYPE, new FiniteOrNull())
                    .addSerializer(Float.class, new FiniteOrNull())
                    .addSerializer(Float.TYPE, new FiniteOrNull()))
            .build();

    private ApiJson() {}

    static byte[] encode(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /** Null for JSON's null. @throws IOException for whatever else is no JSON of that type */
    static <T> @Nullable T decode(byte[] bytes, Class<T> type) throws IOException {
        return MAPPER.readValue(bytes, type);
    }

    static void write(Context ctx, int status, Object value) {
        ctx.status(status).contentType("application/json").result(encode(value));
    }

    private static final class FiniteOrNull extends JsonSerializer<Number> {
        @Override
        public void serialize(Number value, JsonGenerator out, SerializerProvider provider) throws IOException {
            double number = value.doubleValue();
            if (!Double.isFinite(number)) {
                out.writeNull();
            } else if (value instanceof Float single) {
                out.writeNumber(single.floatValue());
            } else {
                out.writeNumber(number);
            }
        }
    }
}
