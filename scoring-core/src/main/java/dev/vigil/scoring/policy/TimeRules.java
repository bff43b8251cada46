package dev.vigil.scoring.policy;

/**
 * The policy's {@code time} section, in microseconds of event time.
 *
 * @param outOfOrdernessUs by which the watermark trails the largest event time
 * @param allowedLatenessUs by which an event may be older than the watermark and still count
 * @param maxFutureSkewUs by which event time may be ahead of ingest time
 * @param late what becomes of an older event
 * @param correctWithinUs by how much older it may be to be entered where late is UPDATE; else 0
 */
public record TimeRules(
        long outOfOrdernessUs, long allowedLatenessUs, long maxFutureSkewUs, LatePolicy late, long correctWithinUs) {
    public enum LatePolicy {
        /** Counted. */
        DROP,
        /** Counted and copied to the late topic. */
        SIDE_OUTPUT,
        /** Scored, and the scores that it changes are corrected; if it is too old even for that, as SIDE_OUTPUT. */
        UPDATE
    }
}
