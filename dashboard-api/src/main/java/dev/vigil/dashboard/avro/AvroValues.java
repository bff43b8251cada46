package dev.vigil.dashboard.avro;

import dev.vigil.dashboard.intake.EventProblem;
import dev.vigil.dashboard.intake.RegistryValues;
import dev.vigil.dashboard.intake.UnreadableValueException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads Avro values in the wire format of schema registries as JSON; see {@link AvroJson}. Keeps the schemas that were used last,
 * and for some seconds which ids the registry does not know. One thread.
 */
public final class AvroValues implements RegistryValues {
    /** So that values of an unknown schema do not ask for it one by one. */
    private static final Duration UNKNOWN_FOR = Duration.ofSeconds(10);

    private final WriterSchemas schemas;
    private final int maxJsonBytes;
    private final Map<Integer, Known> known;

    /** @param refusal of an id of which the registry has no schema that can be used */
    private record Known(@Nullable Schema schema, @Nullable UnreadableValueException refusal, long sinceNs) {
        boolean isOld() {
            return refusal != null && System.nanoTime() - sinceNs > UNKNOWN_FOR.toNanos();
        }
    }

    /**
     * @param maxSchemas that are kept
     * @param maxJsonBytes of a value as JSON; more is refused
     */
    public AvroValues(WriterSchemas schemas, int maxSchemas, int maxJsonBytes) {
        this.schemas = schemas;
        this.maxJsonBytes = maxJsonBytes;
        this.known = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, Known> eldest) {
                return size() > maxSchemas;
            }
        };
    }

    @Override
    public byte[] json(byte[] value) {
        Schema schema = schema(ByteBuffer.wrap(value, 1, Integer.BYTES).getInt());
        return AvroJson.write(schema, new AvroBytes(value, HEADER_BYTES), maxJsonBytes);
    }

    private Schema schema(int id) {
        Known found = known.get(id);
        if (found == null || found.isOld()) {
            found = ask(id);
            known.put(id, found);
        }
        Schema schema = found.schema;
        if (schema == null) {
            throw found.refusal == null ? new IllegalStateException("schema " + id) : found.refusal;
        }
        return schema;
    }

    private Known ask(int id) {
        try {
            return new Known(parse(id), null, System.nanoTime());
        } catch (UnreadableValueException e) {
            return new Known(null, e, System.nanoTime());
        }
    }

    private Schema parse(int id) {
        // As lenient as the producers' own libraries: what a name or a default looks like does not change how bytes are
        // read.
        Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
        Schema schema = null;
        try {
            for (String text : schemas.schema(id)) {
                schema = parser.parse(text);
            }
        } catch (AvroRuntimeException e) {
            throw unusable(id, "is not one that Avro can read");
        }
        if (schema == null || schema.getType() != Schema.Type.RECORD) {
            throw unusable(id, "is not of a record");
        }
        return schema;
    }

    private static UnreadableValueException unusable(int id, String why) {
        return new UnreadableValueException(EventProblem.UNKNOWN_SCHEMA, "schema " + id + " " + why);
    }
}
