package dev.vigil.dashboard.http;

import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.router.Endpoint;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns whatever goes wrong into a problem document; details of our own errors go to the log and nowhere else. */
final class Problems {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    private Problems() {}

    static void register(JavalinDefaultRoutingApi routes, int maxBodyBytes) {
        routes.exception(ProblemException.class, (e, ctx) -> {
            Integer retryAfterSeconds = e.retryAfterSeconds();
            if (retryAfterSeconds != null) {
                ctx.header("Retry-After", retryAfterSeconds.toString());
            }
            write(ctx, e.problem());
        });
        routes.exception(
                HttpResponseException.class,
                (e, ctx) -> write(
                        ctx, ofStatus(e.getStatus(), maxBodyBytes, ctx.req().getContentLengthLong())));
        routes.exception(Exception.class, (e, ctx) -> {
            Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            if (isGone(cause)) {
                LOG.debug("client went away: {}", cause.toString());
                return;
            }
            if (cause instanceof HttpException refused && refused.getCode() < 500) {
                write(ctx, ofStatus(refused.getCode(), maxBodyBytes, ctx.req().getContentLengthLong()));
                return;
            }
            String errorId = UUID.randomUUID().toString();
            LOG.error("error {} while answering {} {}", errorId, ctx.method(), route(ctx), cause);
            write(ctx, Problem.internal(errorId));
        });
    }

    private static Problem ofStatus(int status, int maxBodyBytes, long foundBytes) {
        return status == 413 ? Problem.bodyTooLarge(maxBodyBytes, foundBytes) : Problem.ofStatus(status);
    }

    static void write(Context ctx, Problem problem) {
        ctx.status(problem.status()).contentType(Problem.CONTENT_TYPE).result(ApiJson.encode(problem));
    }

    private static boolean isGone(Throwable cause) {
        return cause instanceof EofException || cause instanceof ClosedChannelException;
    }

    private static String route(Context ctx) {
        Endpoint endpoint = ctx.endpoints().matchedHttpEndpoint();
        return endpoint == null ? "an unknown path" : endpoint.path;
    }

    /**
     * Answers before the body has come. A client that is still sending would not see the answer if the connection were closed
     * under it, so what comes is thrown away until it ends.
     */
    static void refuse(Request request, Response response, Callback callback, Problem problem) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        boolean isSending = !request.getHeaders().contains(HttpHeader.EXPECT);
        answer(
                response,
                isSending ? Callback.from(() -> throwAway(request, callback), callback::failed) : callback,
                problem);
    }

    private static void throwAway(Request request, Callback callback) {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(() -> throwAway(request, callback));
                return;
            }
            boolean isOver = chunk.isLast() || Content.Chunk.isFailure(chunk);
            chunk.release();
            if (isOver) {
                callback.succeeded();
                return;
            }
        }
    }

    private static void answer(Response response, Callback callback, Problem problem) {
        response.setStatus(problem.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.CONTENT_TYPE);
        SecurityHeaders.forEach(response.getHeaders()::put);
        response.write(true, ByteBuffer.wrap(ApiJson.encode(problem)), callback);
    }

    /** For what Jetty refuses before any route is looked for, such as ambiguous paths. */
    static final class JettyErrors extends ErrorHandler {
        private final int maxBodyBytes;

        JettyErrors(int maxBodyBytes) {
            this.maxBodyBytes = maxBodyBytes;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            int status = response.getStatus() < 400 ? 500 : response.getStatus();
            answer(response, callback, ofStatus(status, maxBodyBytes, request.getLength()));
            return true;
        }
    }
}
