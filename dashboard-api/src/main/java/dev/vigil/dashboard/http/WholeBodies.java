package dev.vigil.dashboard.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.server.handler.EagerContentHandler.RetainedContentLoaderFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Refuses a request at once that announces a larger body than is taken. Gathers a request's body before any thread of ours has to do with it, so that clients that trickle theirs hold a
 * connection and nothing more; those that take too long lose it.
 */
final class WholeBodies {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final String CLOSING = WholeBodies.class.getName();
    /** Bodies without a length that are just over the limit get as far as our own check, which answers better. */
    private static final int MARGIN_BYTES = 16 << 10;

    private WholeBodies() {}

    /** Wrappers for the application's handler, which goes into the innermost. */
    static Handler.Wrapper handler(int maxBodyBytes) {
        RetainedContentLoaderFactory gathering = new RetainedContentLoaderFactory(maxBodyBytes + MARGIN_BYTES, 0, true);
        return new Before(maxBodyBytes, new EagerContentHandler(new After(), gathering));
    }

    private static final class Before extends Handler.Wrapper {
        private final int maxBodyBytes;

        Before(int maxBodyBytes, Handler next) {
            super(next);
            this.maxBodyBytes = maxBodyBytes;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            if (hasBody(request)) {
                EndPoint connection =
                        request.getConnectionMetaData().getConnection().getEndPoint();
                request.setAttribute(
                        CLOSING,
                        request.getConnectionMetaData()
                                .getConnector()
                                .getScheduler()
                                .schedule(connection::close, DEADLINE.toMillis(), TimeUnit.MILLISECONDS));
            }
            if (request.getLength() > maxBodyBytes) {
                Problems.refuse(request, response, callback, Problem.bodyTooLarge(maxBodyBytes, request.getLength()));
                return true;
            }
            return super.handle(request, response, callback);
        }

        private static boolean hasBody(Request request) {
            return request.getLength() > 0 || request.getHeaders().contains("Transfer-Encoding");
        }
    }

    private static final class After extends Handler.Wrapper {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            if (request.getAttribute(CLOSING) instanceof Scheduler.Task closing) {
                closing.cancel();
            }
            return super.handle(request, response, callback);
        }
    }
}
