package dev.vigil.scoring.window;

/**
 * A window's geometry in event time: for an event at t it holds the events in (t − delay − over, t − delay].
 *
 * <p>With {@code over} 60 s and no delay, an event at 12:01:00.000 sees those from 12:00:00.000001 on; one at exactly
 * 12:00:00 is out, one at 12:01:00 is in.
 *
 * @param overUs length, 1 s or more
 * @param delayUs 0 or more
 * @param prior leaves the event itself out
 */
public record WindowBounds(long overUs, long delayUs, boolean prior) {
    long endUs(long timeUs) {
        return timeUs - delayUs;
    }

    long startUs(long timeUs) {
        return timeUs - delayUs - overUs;
    }
}
