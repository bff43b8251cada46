package dev.vigil.dashboard.http;

import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** Query parameters, checked; a wrong one is answered 400. */
final class Parameters {
    private static final int MAX_CHARACTERS = 256;

    private Parameters() {}

    static int limit(Context ctx, int whenAbsent, int max) {
        String text = ctx.queryParam("limit");
        if (text == null) {
            return whenAbsent;
        }
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= max) {
                return limit;
            }
        } catch (NumberFormatException e) {
            throw badLimit(max);
        }
        throw badLimit(max);
    }

    private static ProblemException badLimit(int max) {
        return ProblemException.badParameter("limit", "expected an integer from 1 to " + max);
    }

    static @Nullable String text(Context ctx, String name) {
        return text(ctx, name, MAX_CHARACTERS);
    }

    static @Nullable String text(Context ctx, String name, int maxCharacters) {
        String text = ctx.queryParam(name);
        if (text == null || text.isEmpty()) {
            return null;
        }
        if (text.length() > maxCharacters) {
            throw ProblemException.badParameter(name, "expected at most " + maxCharacters + " characters");
        }
        return text;
    }
}
