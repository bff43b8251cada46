package dev.vigil.alerting;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What came of an attempt.
 *
 * @param statusCode absent where no answer came
 * @param problem why no answer came, in one line without URL or secret; absent where one came
 * @param retryAfterMs from now, as the answer asks for
 * @param durationMs to the answer's status line, or to the failure
 */
public record Answer(
        @Nullable Integer statusCode, @Nullable String problem, OptionalLong retryAfterMs, long durationMs) {
    private static final int GONE = 410;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;

    public static Answer status(int statusCode, OptionalLong retryAfterMs, long durationMs) {
        return new Answer(statusCode, null, retryAfterMs, durationMs);
    }

    public static Answer failure(String problem, long durationMs) {
        return new Answer(null, problem, OptionalLong.empty(), durationMs);
    }

    public boolean accepted() {
        return statusCode != null && statusCode >= 200 && statusCode < 300;
    }

    boolean gone() {
        return statusCode != null && statusCode == GONE;
    }

    /** Whether the receiver wants to be left alone altogether for a while, not just with this message. */
    boolean asksForPause() {
        return retryAfterMs.isPresent()
                && statusCode != null
                && (statusCode == TOO_MANY_REQUESTS || statusCode == UNAVAILABLE);
    }

    /** One line; absent if accepted. */
    @Nullable
    public String detail() {
        if (accepted()) {
            return null;
        }
        return statusCode == null ? problem : "expected a 2xx answer, found " + statusCode;
    }
}
