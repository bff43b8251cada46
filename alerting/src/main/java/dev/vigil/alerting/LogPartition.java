package dev.vigil.alerting;

import dev.vigil.event.SourcePosition;

/** A partition of one topic, known by its id: a topic that was deleted and created again is another one. */
public record LogPartition(String topicId, int partition) {
    public static LogPartition of(SourcePosition position) {
        return new LogPartition(position.topicId(), position.partition());
    }
}
