package dev.vigil.dashboard.deadletter;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.SourcePosition;
import dev.vigil.event.TopicNames;
import java.util.Optional;

/** Where a refused record stood when it was refused; written {@code topic:partition:offset}. */
public record LetterOrigin(String topic, int partition, long offset) {
    /** Of the log or of another topic, as the letter's headers say; empty for what never was a record, such as a row. */
    static Optional<LetterOrigin> of(StoredLetter letter, TopicNames topics) {
        String position = letter.header(DeadLetter.POSITION_HEADER);
        String origin = letter.header(DeadLetter.ORIGIN_HEADER);
        try {
            if (position != null) {
                SourcePosition source = SourcePosition.parse(position);
                return Optional.of(new LetterOrigin(topics.events(), source.partition(), source.offset()));
            }
            if (origin != null) {
                // A topic's name has no colon, as a topic's id has none.
                SourcePosition source = SourcePosition.parse(origin);
                return Optional.of(new LetterOrigin(source.topicId(), source.partition(), source.offset()));
            }
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    @Override
    @JsonValue
    public String toString() {
        return topic + ":" + partition + ":" + offset;
    }
}
