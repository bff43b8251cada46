package dev.vigil.alerting;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record of the alerts topic as it stands there. */
public record AlertRecord(
        int partition, long offset, byte @Nullable [] key, byte[] value, Map<String, byte[]> headers) {
    public AlertRecord {
        headers = Map.copyOf(headers);
    }
}
