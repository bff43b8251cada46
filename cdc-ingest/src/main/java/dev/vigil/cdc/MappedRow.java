package dev.vigil.cdc;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import java.util.List;
import java.util.Map;

/** What became of a row change: exactly one of these. */
public sealed interface MappedRow {

    /**
     * Records for the log, in this order, and what to remember. More than one record only when a reference row moved to
     * another account; none for a row that is only remembered.
     */
    record Published(List<EventEnvelope> events, List<MemoryChange> memory) implements MappedRow {
        public Published {
            events = List.copyOf(events);
            memory = List.copyOf(memory);
        }

        static Published of(EventEnvelope event) {
            return new Published(List.of(event), List.of());
        }
    }

    /** Nothing for the log, by declaration. */
    record Skipped(String reason) implements MappedRow {}

    /** Every remembered row of the table is gone. */
    record Cleared() implements MappedRow {}

    /** The row's account stands in a row that is not known yet. */
    record Waiting(RowKey missing) implements MappedRow {}

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
