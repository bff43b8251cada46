package dev.vigil.dashboard.intake;

/**
 * Values in the wire format of schema registries: a zero byte, the id of a schema in four, and what the schema describes. One
 * thread.
 */
public interface RegistryValues {
    /** Whether a value looks like one. */
    static boolean isOne(byte[] value) {
        return value.length > HEADER_BYTES && value[0] == 0;
    }

    /** Magic byte and schema id. */
    int HEADER_BYTES = 5;

    /**
     * The value as a JSON object. May wait for the registry as long as its time-out says.
     *
     * @param value for which {@link #isOne} holds
     * @throws UnreadableValueException if it can never be read
     * @throws RegistryUnavailableException if the registry cannot be asked now
     */
    byte[] json(byte[] value);

    /** Where no registry is configured: none can be read. */
    static RegistryValues none() {
        return value -> {
            throw new UnreadableValueException(
                    EventProblem.UNKNOWN_SCHEMA,
                    "a value with a schema's id, and no schema registry is configured (dashboard.intake.kafka.registry)");
        };
    }
}
