package dev.vigil.event;

/**
 * Tells event times that were read in the wrong unit: seconds taken for milliseconds, or milliseconds for microseconds, come out in January
 * 1970, and the other way round tens of thousands of years ahead.
 */
public final class UnitSlip {
    private static final long FACTOR = 1_000;
    private static final long US_PER_DAY = 86_400_000_000L;
    /** How old events are of which a time is likely to be meant. */
    private static final long REACH_US = 20 * 365 * US_PER_DAY;

    private UnitSlip() {}

    /** Whether the time would be one of the last twenty years if its unit were a thousand times larger. */
    public static boolean isTooSmall(long timeUs, long nowUs) {
        return timeUs > 0 && timeUs <= Long.MAX_VALUE / FACTOR && isRecent(timeUs * FACTOR, nowUs);
    }

    /** What to add to a complaint about a time that is far ahead; empty if no unit was mistaken. */
    public static String hint(long timeUs, long nowUs) {
        return isRecent(timeUs / FACTOR, nowUs)
                ? ", which looks like milliseconds taken for seconds, or microseconds for milliseconds"
                : "";
    }

    private static boolean isRecent(long timeUs, long nowUs) {
        return timeUs > nowUs - REACH_US && timeUs < nowUs + US_PER_DAY;
    }
}
