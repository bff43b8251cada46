package dev.vigil.dashboard.deadletter;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.event.TopicNames;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a dead letter goes when it is put back: to the topic and partition that it came from, so that it meets the same
 * account's state; or why it cannot go anywhere.
 *
 * @param topic absent where it cannot be put back, and {@code refusal} says why in one line
 */
public record RetryTarget(
        @Nullable String topic, int partition, @Nullable String refusal) {
    public static RetryTarget of(StoredLetter letter, TopicNames topics) {
        return switch (letter.stage()) {
            case DeadLetter.ENGINE_STAGE -> isControl(letter) ? CONTROL : back(letter, topics, topics.events());
            case DeadLetter.INTAKE_STAGE -> ofIntake(letter, topics);
            case "cdc-ingest" -> ROW;
            case "lakehouse-sink", "alerting" -> OUTPUT;
            default -> FOREIGN;
        };
    }

    private static final RetryTarget CONTROL =
            refused("policies and ticks are not put back; 'vigil policy apply' activates a policy");
    private static final RetryTarget MASKED = refused(
            "stars stand in it where card numbers did, which are not stored; its producer has to send it again without");
    private static final RetryTarget NOT_KEPT =
            refused("it could not be kept; it stands in its topic for as long as that keeps records");
    private static final RetryTarget ROW = refused(
            "a row of the database is no record; mend it there, and read it again with 'vigil cdc snapshot TABLE --where …'");
    private static final RetryTarget OUTPUT =
            refused("an output of the engine that another service could not read; it stands in its topic as before");
    private static final RetryTarget FOREIGN = refused("no service of this Vigil set it aside");
    private static final RetryTarget LOST = refused("its headers do not say where it came from");

    private static RetryTarget back(StoredLetter letter, TopicNames topics, String topic) {
        Optional<LetterOrigin> origin = LetterOrigin.of(letter, topics);
        return origin.isPresent() && origin.get().topic().equals(topic)
                ? new RetryTarget(topic, origin.get().partition(), null)
                : LOST;
    }

    private static boolean isControl(StoredLetter letter) {
        String type = letter.header(EventEnvelope.TYPE_HEADER);
        return EventTypes.POLICY.equals(type) || EventTypes.TICK.equals(type);
    }

    private static RetryTarget ofIntake(StoredLetter letter, TopicNames topics) {
        if (isMasked(letter)) {
            return MASKED;
        }
        // Without value and headers nothing is refused there: it is a tombstone, which is skipped.
        boolean isKept = letter.value() != null || !letter.originalHeaders().isEmpty();
        RetryTarget target = back(letter, topics, topics.intake());
        return isKept || target.equals(LOST) ? target : NOT_KEPT;
    }

    private static boolean isMasked(StoredLetter letter) {
        return "true".equals(letter.header(DeadLetter.MASKED_HEADER));
    }

    private static RetryTarget refused(String why) {
        return new RetryTarget(null, 0, why);
    }
}
