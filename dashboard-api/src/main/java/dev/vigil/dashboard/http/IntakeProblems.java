package dev.vigil.dashboard.http;

/** What the intake answers where nothing need be wrong with the events. */
final class IntakeProblems {
    private static final int SOON_SECONDS = 1;
    private static final int STARTING_SECONDS = 2;
    private static final int BROKER_SECONDS = 5;
    private static final int PERSON_SECONDS = 10;

    private IntakeProblems() {}

    static ProblemException starting() {
        return new ProblemException(
                Problem.of(503, "starting", "Starting", "The active policy is not known yet; send this again."),
                STARTING_SECONDS);
    }

    static ProblemException noPolicy() {
        return new ProblemException(
                Problem.of(
                        503,
                        "no-policy",
                        "No policy",
                        "No policy is active, so nothing can be scored. 'vigil policy apply FILE' activates one; then"
                                + " send this again."),
                PERSON_SECONDS);
    }

    /** @param stored events of the request that the log has confirmed */
    static ProblemException busy(int stored) {
        return new ProblemException(
                Problem.ofLog(
                        429,
                        "busy",
                        "Too many requests",
                        "Too much waits for the broker already; send this again." + partly(stored),
                        stored),
                SOON_SECONDS);
    }

    /** @param stored as for {@link #busy} */
    static ProblemException unavailable(int stored) {
        return new ProblemException(
                Problem.ofLog(
                        503,
                        "log-unavailable",
                        "Unavailable",
                        "The broker did not confirm every event. Send all of them again, with the same source and id: "
                                + "what is stored already is dropped as a duplicate." + partly(stored),
                        stored),
                BROKER_SECONDS);
    }

    /**
     * @param stored as for {@link #busy}
     * @param largestBytes data of the largest event of the request
     */
    static ProblemException tooLarge(int stored, int largestBytes) {
        return new ProblemException(Problem.ofLog(
                413,
                "too-large",
                "Too large",
                "The broker takes no record as large as one of these events, now or later: expected data within the topic's"
                        + " max.message.bytes, found up to " + largestBytes + " bytes." + partly(stored),
                stored));
    }

    private static String partly(int stored) {
        return stored == 0 ? "" : " Of this request it has confirmed " + stored + ".";
    }
}
