package dev.vigil.demo;

/** Waiting times between tries: 50 ms, doubled up to 2 s. */
final class BackOff {
    private static final long FIRST_MS = 50;
    private static final long LONGEST_MS = 2_000;

    private final Sleeper sleeper;
    private long nextMs = FIRST_MS;

    BackOff(Sleeper sleeper) {
        this.sleeper = sleeper;
    }

    /** Waits the next time, or longer where the other side asked for it, but never more than {@value #LONGEST_MS} ms. */
    void pause(long askedMs) throws InterruptedException {
        sleeper.sleepMs(Math.min(LONGEST_MS, Math.max(askedMs, nextMs)));
        nextMs = Math.min(LONGEST_MS, nextMs * 2);
    }
}
