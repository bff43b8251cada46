package dev.vigil.lakehouse;

import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.SourcePosition;
import dev.vigil.event.Summary;
import org.jspecify.annotations.Nullable;

/** What becomes one row of a table. */
public sealed interface HistoryRow {
    /** Business time, µs since the epoch; its day is the row's partition. */
    long eventTimeUs();

    /** Account, by which rows are clustered in a file. */
    String account();

    /** @param decidedAtMs when the engine wrote the record, ms since the epoch */
    record Scored(ScoredEvent event, long decidedAtMs) implements HistoryRow {
        @Override
        public long eventTimeUs() {
            return event.eventTimeUs();
        }

        @Override
        public String account() {
            return event.account();
        }
    }

    /** @param raisedAtMs when the engine wrote the record, ms since the epoch */
    record Raised(Alert alert, long raisedAtMs) implements HistoryRow {
        @Override
        public long eventTimeUs() {
            return alert.eventTimeUs();
        }

        @Override
        public String account() {
            return alert.account();
        }
    }

    /** A delivery attempt or suppression. */
    record Attempted(Delivery delivery) implements HistoryRow {
        @Override
        public long eventTimeUs() {
            return delivery.eventTimeUs();
        }

        @Override
        public String account() {
            return delivery.account();
        }
    }

    /** A result of a window; its event time is the window's start. @param toldAtMs when the engine wrote the record */
    record Summarised(Summary summary, long toldAtMs) implements HistoryRow {
        @Override
        public long eventTimeUs() {
            return summary.windowStartUs();
        }

        @Override
        public String account() {
            return summary.account();
        }
    }

    /**
     * An event that came too late to be scored.
     *
     * @param putAsideAtMs when the engine put it aside, ms since the epoch
     * @param position in the log; absent where the record does not carry it
     * @param data the event's JSON
     */
    record Late(
            String eventId,
            String source,
            String type,
            String account,
            long eventTimeUs,
            boolean backfill,
            long putAsideAtMs,
            @Nullable SourcePosition position,
            String data)
            implements HistoryRow {}
}
