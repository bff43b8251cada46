package dev.vigil.dashboard.http;

import dev.vigil.service.EpochClock;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/**
 * One open event stream. Frames wait in a bounded queue and are written only while the connection takes them, so nobody
 * who offers one ever waits. Of snapshots the newest alone waits; when too many other frames wait, the oldest are dropped
 * and the client is told how many it missed.
 */
final class LiveClient implements WriteListener {
    private static final int MAX_WAITING = 256;

    private final ServletOutputStream out;
    private final EndPoint connection;
    private final EpochClock clock;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    // Guarded by this. No call of ours is made under it; writing never blocks.
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private byte @Nullable [] snapshot;
    private long missed;
    private boolean unflushed;
    /** Whether the container has told us to write; it has not while it will call {@link #onWritePossible}. */
    private boolean writable;

    private long progressAtMs;

    private LiveClient(ServletOutputStream out, EndPoint connection, EpochClock clock) {
        this.out = out;
        this.connection = connection;
        this.clock = clock;
        this.progressAtMs = clock.epochMs();
    }

    /** On a request that is asynchronous already. */
    static LiveClient connect(HttpServletRequest request, HttpServletResponse response, EpochClock clock)
            throws IOException {
        EndPoint connection = ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint();
        LiveClient client = new LiveClient(response.getOutputStream(), connection, clock);
        client.out.setWriteListener(client);
        return client;
    }

    /** Completes when the stream has ended, for whatever reason; then the request can be completed. */
    CompletableFuture<Void> gone() {
        return gone;
    }

    void offer(byte[] frame) {
        synchronized (this) {
            waiting.addLast(frame);
            if (waiting.size() > MAX_WAITING) {
                waiting.removeFirst();
                missed++;
            }
        }
        writeWhilePossible();
    }

    void offerSnapshot(byte[] frame) {
        synchronized (this) {
            snapshot = frame;
        }
        writeWhilePossible();
    }

    @Override
    public void onWritePossible() {
        synchronized (this) {
            writable = true;
            progressAtMs = clock.epochMs();
        }
        writeWhilePossible();
    }

    @Override
    public void onError(Throwable failure) {
        gone.complete(null);
    }

    private void writeWhilePossible() {
        try {
            tryWrite();
        } catch (IOException | IllegalStateException e) {
            // The other side went away, or the container has recycled the request: either way it is over.
            gone.complete(null);
        }
    }

    private synchronized void tryWrite() throws IOException {
        while (writable && !gone.isDone()) {
            if (!out.isReady()) {
                writable = false;
            } else if (unflushed) {
                unflushed = false;
                out.flush();
            } else {
                byte[] frame = next();
                if (frame == null) {
                    return;
                }
                progressAtMs = clock.epochMs();
                unflushed = true;
                out.write(frame);
            }
        }
    }

    private byte @Nullable [] next() {
        if (missed > 0) {
            byte[] frame = ("event: missed\ndata: {\"count\":" + missed + "}\n\n").getBytes(StandardCharsets.UTF_8);
            missed = 0;
            return frame;
        }
        byte[] frame = waiting.pollFirst();
        if (frame == null) {
            frame = snapshot;
            snapshot = null;
        }
        return frame;
    }

    void closeIfStalled(long afterMs) {
        boolean stalled;
        synchronized (this) {
            stalled = !writable && clock.epochMs() - progressAtMs > afterMs;
        }
        if (stalled) {
            // Completing the request would wait for the pending write, which may never end.
            connection.close();
            gone.complete(null);
        }
    }

    void close() {
        boolean pending;
        synchronized (this) {
            pending = !writable;
        }
        if (pending) {
            connection.close();
        }
        gone.complete(null);
    }
}
