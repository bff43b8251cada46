package dev.vigil.event;

/**
 * CloudEvents types with a meaning to Vigil itself. Every other type is a business event, to be declared by the policy
 * under that name; a policy cannot declare a type that starts with {@link #RESERVED_PREFIX}.
 */
public final class EventTypes {
    public static final String RESERVED_PREFIX = "vigil.";
    /**
     * Prefix of reference rows: {@code vigil.reference.account}. Data: a JSON object of the row's fields, which replaces
     * the earlier row; empty data: the row is gone.
     */
    public static final String REFERENCE_PREFIX = "vigil.reference.";
    /**
     * What became known of an earlier event. Data:
     * {@code {"event_source": "…", "event_id": "…", "label": "fraud", "value": true}}; subject: the event's account.
     */
    public static final String LABEL = "vigil.label";
    /** Policy activation, in every partition. Data: {@code {"policy": "<the YAML text>"}}. */
    public static final String POLICY = "vigil.policy";
    /** Idle tick: its {@code time} moves the watermark like an event's. No data. */
    public static final String TICK = "vigil.tick";

    private EventTypes() {}

    public static boolean isReserved(String type) {
        return type.startsWith(RESERVED_PREFIX);
    }
}
