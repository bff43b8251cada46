package dev.vigil.lakehouse;

import dev.vigil.event.TopicNames;
import java.util.Locale;

/** A table of history and the topic that it holds for good. */
public enum HistoryTable {
    SCORED_EVENTS,
    ALERTS,
    DELIVERIES,
    LATE_EVENTS,
    SUMMARIES;

    /** Namespace of every table. */
    public static final String NAMESPACE = "vigil";

    /** Name within {@link #NAMESPACE}, as queries use it. */
    public String tableName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String topic(TopicNames names) {
        return switch (this) {
            case SCORED_EVENTS -> names.scored();
            case ALERTS -> names.alerts();
            case DELIVERIES -> names.deliveries();
            case LATE_EVENTS -> names.late();
            case SUMMARIES -> names.summaries();
        };
    }
}
