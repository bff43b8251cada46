package dev.vigil.lakehouse;

import dev.vigil.event.TopicNames;
import java.util.Locale;
import java.util.function.Function;

/** A table of history and the topic that it holds for good. */
public enum HistoryTable {
    SCORED_EVENTS(TopicNames::scored),
    ALERTS(TopicNames::alerts),
    DELIVERIES(TopicNames::deliveries),
    LATE_EVENTS(TopicNames::late);

    /** Namespace of every table. */
    public static final String NAMESPACE = "vigil";

    private final Function<TopicNames, String> topic;

    HistoryTable(Function<TopicNames, String> topic) {
        this.topic = topic;
    }

    /** Name within {@link #NAMESPACE}, as queries use it. */
    public String tableName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String topic(TopicNames names) {
        return topic.apply(names);
    }
}
