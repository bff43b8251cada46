package dev.vigil.dashboard.intake;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How events stand in a body or a record, as its content type says; see the CloudEvents bindings of HTTP and Kafka. */
public enum ContentMode {
    /** One event, attributes and data in one JSON object. */
    STRUCTURED,
    /** A list of such objects. */
    BATCH,
    /** The data of one event, whose attributes are headers; or no CloudEvent at all. */
    BINARY;

    public static final String STRUCTURED_TYPE = "application/cloudevents+json";
    public static final String BATCH_TYPE = "application/cloudevents-batch+json";

    /** @param contentType with or without parameters; null where there is none */
    public static ContentMode of(@Nullable String contentType) {
        return switch (mediaType(contentType)) {
            case STRUCTURED_TYPE -> STRUCTURED;
            case BATCH_TYPE -> BATCH;
            default -> BINARY;
        };
    }

    /** In lower case, without parameters; empty for null. */
    static String mediaType(@Nullable String contentType) {
        if (contentType == null) {
            return "";
        }
        int parameters = contentType.indexOf(';');
        String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
        return type.strip().toLowerCase(Locale.ROOT);
    }
}
