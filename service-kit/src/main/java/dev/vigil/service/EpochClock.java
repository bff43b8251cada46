package dev.vigil.service;

/** Wall clock, injected wherever a service needs one; never read while scoring. Safe for any thread. */
@FunctionalInterface
public interface EpochClock {
    /** Milliseconds since 1970-01-01T00:00:00Z. */
    long epochMs();
}
