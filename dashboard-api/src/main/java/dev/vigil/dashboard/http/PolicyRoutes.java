package dev.vigil.dashboard.http;

import dev.vigil.dashboard.status.PolicyView;
import dev.vigil.dashboard.status.StatusBoard;
import io.javalin.router.JavalinDefaultRoutingApi;

/** The active policy, as the engines tell it. */
final class PolicyRoutes implements WebServer.Routes {
    private final StatusBoard board;

    PolicyRoutes(StatusBoard board) {
        this.board = board;
    }

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.get(
                "/api/v1/policy",
                ctx -> ApiJson.write(
                        ctx,
                        200,
                        PolicyView.of(board.all())
                                .orElseThrow(() -> new ProblemException(Problem.of(
                                        404,
                                        "no-policy",
                                        "No policy",
                                        "No engine that answers has an active policy.")))));
    }
}
