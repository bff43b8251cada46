package dev.vigil.dashboard.http;

import dev.vigil.config.NearestName;
import dev.vigil.config.OneLine;
import dev.vigil.dashboard.cases.NoSuchCaseException;
import dev.vigil.event.cases.CaseFilter;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.cases.CasesUnavailableException;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Cases to look at, of the alerting that this process has or knows. */
final class CaseRoutes implements WebServer.Routes {
    static final String PATH = "/api/v1/cases";
    static final String ONE = PATH + "/{id}";
    /** Ids of ours are digits and letters; anything else names no case. */
    static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,200}");

    private static final Problem GONE =
            Problem.of(404, "no-such-case", "No such case", "There is none of this id, or it is kept no longer.");

    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 200;
    private static final int RETRY_SECONDS = 2;
    private static final List<String> STATES = List.of("open", "closed");

    private final Cases cases;

    CaseRoutes(Cases cases) {
        this.cases = cases;
    }

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.get(PATH, this::list);
        routes.get(ONE, this::show);
    }

    private void list(Context ctx) {
        CaseFilter filter = new CaseFilter(
                open(ctx),
                Parameters.text(ctx, "assignee"),
                Parameters.text(ctx, "account"),
                Parameters.text(ctx, "rule"),
                after(ctx),
                Parameters.limit(ctx, DEFAULT_LIMIT, MAX_LIMIT));
        ApiJson.write(ctx, 200, asked(() -> cases.list(filter)));
    }

    private static @Nullable Boolean open(Context ctx) {
        String state = Parameters.text(ctx, "state");
        if (state != null && !STATES.contains(state)) {
            throw ProblemException.badParameter(
                    "state",
                    NearestName.of(OneLine.shortened(state), STATES)
                            .map(nearest -> "no such state, did you mean " + nearest + "?")
                            .orElse("expected open or closed"));
        }
        return state == null ? null : state.equals("open");
    }

    private static @Nullable String after(Context ctx) {
        String after = Parameters.text(ctx, "after");
        if (after != null && !ID.matcher(after).matches()) {
            throw ProblemException.badParameter("after", "expected the next of the page before");
        }
        return after;
    }

    private void show(Context ctx) {
        String id = id(ctx);
        ApiJson.write(ctx, 200, asked(() -> cases.find(id).orElseThrow(() -> new NoSuchCaseException(id))));
    }

    static String id(Context ctx) {
        String id = ctx.pathParam("id");
        if (!ID.matcher(id).matches()) {
            throw gone();
        }
        return id;
    }

    static <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (NoSuchCaseException e) {
            throw gone();
        } catch (CasesUnavailableException e) {
            throw new ProblemException(
                    Problem.of(503, "alerting-unavailable", "No alerting", e.getMessage()), RETRY_SECONDS);
        }
    }

    private static ProblemException gone() {
        return new ProblemException(GONE);
    }

    /** Whether a problem's type says that there is no such case, and not that there are no cases. */
    static boolean isGone(String problemType) {
        return problemType.equals(GONE.type());
    }
}
