package dev.vigil.scoring;

import dev.vigil.event.Decision;
import dev.vigil.event.FieldType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A scored event as its scorer holds it; read during {@link ScoringOutbox#scored} only. */
public interface ScoredView {
    String eventId();

    String source();

    String account();

    long eventTimeUs();

    /** Of the record that it was scored for: the event itself, or the late event that this corrects it by. */
    long offset();

    /** 0; in a correction, by how many offsets the late event stands behind the event in the log. */
    long revision();

    long ingestTimeMs();

    /** From a snapshot or a load of history: its ingest time says nothing about how fast it was scored. */
    boolean isBackfill();

    int score();

    Decision decision();

    /** The active policy's features in its order. */
    List<Feature> features();

    /** Value by position in {@link #features}, of the Java type that {@link FieldType} names; null where absent. */
    @Nullable
    Object feature(int index);

    /** Value of a field of the event, likewise; null where absent or not a field of the event's type. */
    @Nullable
    Object field(String name);

    /** Whether the rule at this position in the active policy hit, shadow rules included. */
    boolean hit(int rule);

    /** The record for {@code vigil.scored}, JSON of a {@link dev.vigil.event.ScoredEvent}. */
    byte[] encode();

    record Feature(String name, FieldType type) {}
}
