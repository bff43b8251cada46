package dev.vigil.dashboard.http;

import dev.vigil.dashboard.intake.EventProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error as RFC 9457 tells it.
 *
 * @param type a stable name for programs, {@code urn:vigil:problem:…}
 * @param errorId under which the log holds the details of an error of ours
 * @param errors of a refused submission, each, or the first hundred
 * @param stored events of the request that the log has confirmed, of one that it has not confirmed whole
 */
record Problem(
        String type,
        String title,
        int status,
        @Nullable String detail,
        @Nullable String errorId,
        @Nullable List<EventProblem> errors,
        @Nullable Integer stored) {
    static final String CONTENT_TYPE = "application/problem+json";
    private static final String TYPE_PREFIX = "urn:vigil:problem:";
    private static final int MAX_ERRORS = 100;

    static Problem of(int status, String name, String title, @Nullable String detail) {
        return new Problem(TYPE_PREFIX + name, title, status, detail, null, null, null);
    }

    static Problem ofLog(int status, String name, String title, String detail, int stored) {
        return new Problem(TYPE_PREFIX + name, title, status, detail, null, null, stored == 0 ? null : stored);
    }

    /** What the type says, without what all types share. */
    String name() {
        return type.substring(TYPE_PREFIX.length());
    }

    /** As many as an answer holds. */
    static List<EventProblem> first(List<EventProblem> problems) {
        return problems.subList(0, Math.min(problems.size(), MAX_ERRORS));
    }

    static Problem internal(String errorId) {
        return new Problem(
                TYPE_PREFIX + "internal",
                "Internal error",
                500,
                "The service could not answer; its log holds the reason under this error id.",
                errorId,
                null,
                null);
    }

    static Problem refusedEvents(List<EventProblem> errors) {
        return new Problem(
                TYPE_PREFIX + "refused-events",
                "Refused events",
                400,
                errors.size() <= MAX_ERRORS
                        ? "Nothing of this request was published."
                        : "Nothing of this request was published. These are the first " + MAX_ERRORS + " of "
                                + errors.size() + " errors.",
                null,
                first(errors),
                null);
    }

    /** @param foundBytes what the request says of its body; below 0 if it does not say */
    static Problem bodyTooLarge(int maxBodyBytes, long foundBytes) {
        return of(
                413,
                "too-large",
                "Too large",
                "Expected a body of at most " + maxBodyBytes + " bytes, found "
                        + (foundBytes < 0 ? "more" : String.valueOf(foundBytes)) + "; split it.");
    }

    /** Of a status that needs no more words than its own. */
    static Problem ofStatus(int status) {
        return switch (status) {
            case 400 -> of(400, "bad-request", "Bad request", null);
            case 403 -> of(403, "forbidden", "Forbidden", null);
            case 404 -> of(404, "not-found", "Not found", "There is nothing under this path.");
            case 405 -> of(405, "method-not-allowed", "Method not allowed", null);
            case 408 -> of(408, "timeout", "The request took too long", null);
            case 413 -> of(413, "too-large", "Too large", null);
            case 414 -> of(414, "uri-too-long", "URI too long", null);
            case 415 -> of(415, "unsupported-media-type", "Unsupported media type", null);
            case 431 -> of(431, "headers-too-large", "Headers too large", null);
            case 503 -> of(503, "unavailable", "Unavailable", null);
            default ->
                status < 500
                        ? of(status, "bad-request", "Bad request", null)
                        : of(status, "internal", "Internal error", null);
        };
    }
}
