package dev.vigil.dashboard.intake;

/**
 * Decides whether a submission may wait for the log: not when too much waits already, and not when the log did not answer
 * the last time, but for one that finds out whether it answers again. Safe for any thread; never blocks.
 */
public final class Admission {
    public enum Outcome {
        ADMITTED,
        /** Too much waits already; soon there may be room. */
        FULL,
        /** The log did not answer the last submission, and another one is asking it at the moment. */
        LOG_IS_AWAY
    }

    private final int maxSubmissions;
    private final long maxBytes;
    private int submissions;
    private long bytes;
    private boolean logIsAway;

    public Admission(int maxSubmissions, long maxBytes) {
        this.maxSubmissions = maxSubmissions;
        this.maxBytes = maxBytes;
    }

    /** @param size of the submission, bytes; one alone is admitted whatever its size. What is admitted must leave. */
    public synchronized Outcome enter(long size) {
        if (logIsAway && submissions > 0) {
            return Outcome.LOG_IS_AWAY;
        }
        if (submissions > 0 && (submissions >= maxSubmissions || bytes + size > maxBytes)) {
            return Outcome.FULL;
        }
        submissions++;
        bytes += size;
        return Outcome.ADMITTED;
    }

    /** @param logAnswered whether the log took anything of it, or said why not */
    public synchronized void leave(long size, boolean logAnswered) {
        submissions--;
        bytes -= size;
        logIsAway = !logAnswered;
    }

    public synchronized int submissions() {
        return submissions;
    }

    public synchronized long bytes() {
        return bytes;
    }
}
