package dev.vigil.demo.bank;

/** How an action reaches the log, compared with the order in which things happened. */
public enum Timeliness {
    ON_TIME,
    /** Seconds to four minutes after it happened, and so behind events that happened later. */
    OUT_OF_ORDER,
    /** More than {@link TrafficStream#TOO_LATE_MIN} after it happened: later than the policy allows. */
    TOO_LATE,
    /** The same login, with the same id, a second time. */
    DUPLICATE
}
