package dev.vigil.scoring.policy;

import java.util.Locale;

/**
 * How a feature summarises the events of its window. Absent field values do not take part, except in COUNT, RATE and
 * ELAPSED_SINCE, which look at events.
 */
public enum Aggregate {
    /** Number of events; 0 for an empty window. */
    COUNT,
    /** Exact sum of a money or long field; 0 for an empty window. */
    SUM,
    /** Mean, as a double in major units; absent for an empty window. */
    AVG,
    MIN,
    MAX,
    /** Sample standard deviation (n − 1), from exact sums; absent for fewer than two values. */
    STDDEV,
    /** Number of distinct values. */
    DISTINCT,
    /** Value of the first event in time order that has one. */
    FIRST,
    /** Value of the last event in time order that has one. */
    LAST,
    /** Value of the n-th event back from the end of the window, 1 being the last that has one. */
    NTH_LAST,
    /** Share of the window's events whose label, or bool field, is true; 0 for an empty window. */
    RATE,
    /** Seconds since the previous event of the type, as a double; absent if the window holds none. */
    ELAPSED_SINCE,
    /**
     * Seconds since the newest event of the type that is known, whether earlier or later than this one; 0 where it is
     * later. Says how long the account was silent when this event came, not at the event's time.
     */
    SINCE_NEWEST,
    /**
     * Speed in km/h along the great circle from the previous event with coordinates to this one; absent if either lacks
     * them. Less than a second apart counts as a second.
     */
    GEO_SPEED;

    /** As policies spell it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the window's length may be left out. */
    boolean looksBack() {
        return this == ELAPSED_SINCE || this == SINCE_NEWEST || this == GEO_SPEED;
    }
}
