package dev.vigil.event;

/**
 * Values of the {@link #HEADER} of {@code vigil.scored}, which tells its records apart without decoding them.
 */
public final class RecordKinds {
    public static final String HEADER = "vigil-kind";
    /** A {@link ScoredEvent}; the header may be left out. */
    public static final String SCORED = "scored";
    /** A {@link ScoredSchema}. */
    public static final String SCHEMA = "schema";

    private RecordKinds() {}
}
