package dev.vigil.dashboard.http;

import org.jspecify.annotations.Nullable;

/** Ends a request with a problem document; thrown by handlers, turned into the answer by {@link Problems}. */
final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;
    private final @Nullable Integer retryAfterSeconds;

    ProblemException(Problem problem) {
        this(problem, null);
    }

    ProblemException(Problem problem, @Nullable Integer retryAfterSeconds) {
        super(problem.title(), null, false, false);
        this.problem = problem;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    Problem problem() {
        return problem;
    }

    @Nullable
    Integer retryAfterSeconds() {
        return retryAfterSeconds;
    }

    static ProblemException badParameter(String name, String detail) {
        return new ProblemException(Problem.of(400, "bad-parameter", "Bad parameter", name + ": " + detail));
    }
}
