package dev.vigil.launcher;

import java.time.Duration;

/**
 * Tells from looks at something at work whether it has come to rest, and for how long it is worth waiting: as long as it gets
 * on, up to a limit. One thread.
 */
final class RestWatch {
    /** What a look led to. */
    enum Verdict {
        /** Look again. */
        AT_WORK,
        /** Nothing moved for several looks, and nothing is left to do. */
        AT_REST,
        /** Something is left, and nothing moved for too long, or the whole took too long. */
        GIVEN_UP
    }

    private static final int LOOKS_AT_REST = 6;

    private final long withoutProgressMs;
    private final long deadlineMs;
    private long movedAtMs;
    private String before = "";
    private int looks;

    /**
     * @param withoutProgress how long nothing may move while something is left
     * @param inAll how long all of it may take, even though something moves
     */
    RestWatch(Duration withoutProgress, Duration inAll, long nowMs) {
        this.withoutProgressMs = withoutProgress.toMillis();
        this.deadlineMs = nowMs + inAll.toMillis();
        this.movedAtMs = nowMs;
    }

    /**
     * One look.
     *
     * @param figures another text than at the look before: something moved
     * @param isDone whether nothing is left to do, as far as it shows
     */
    Verdict look(String figures, boolean isDone, long nowMs) {
        boolean moved = !figures.equals(before);
        if (moved) {
            before = figures;
            movedAtMs = nowMs;
        }
        looks = moved || !isDone ? 0 : looks + 1;
        if (looks >= LOOKS_AT_REST) {
            return Verdict.AT_REST;
        }
        return nowMs - movedAtMs >= withoutProgressMs || nowMs >= deadlineMs ? Verdict.GIVEN_UP : Verdict.AT_WORK;
    }
}
