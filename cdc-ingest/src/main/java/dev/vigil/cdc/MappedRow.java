package dev.vigil.cdc;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import java.util.List;
import java.util.Map;

/** What became of a row change: exactly one of these. */
public sealed interface MappedRow {

    /** Records for the log, in this order. More than one only when a reference row moved to another account. */
    record Published(List<EventEnvelope> events) implements MappedRow {
        public Published {
            events = List.copyOf(events);
        }
    }

    /** Nothing for the log, by declaration. */
    record Skipped(String reason) implements MappedRow {}

    /**
     * A row that cannot become a record.
     *
     * @param key of the dead letter: the row's identity
     * @param headers that tell which row it was
     * @param value the mapped columns as JSON, as far as they can be read
     */
    record Refused(String key, Map<String, String> headers, byte[] value, DeadLetter deadLetter) implements MappedRow {
        public Refused {
            headers = Map.copyOf(headers);
        }
    }
}
