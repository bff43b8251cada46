package dev.vigil.dashboard.http;

import dev.vigil.dashboard.live.AlertView;
import dev.vigil.dashboard.live.DeliveryView;
import dev.vigil.dashboard.live.LiveSnapshot;
import dev.vigil.service.EpochClock;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Server-sent events to every open page: a snapshot each second, alerts and deliveries as they come.
 *
 * <p>A frame is made once and handed to each client's own bounded queue, from which it is written without blocking, so
 * no client waits for another. A client that takes nothing for {@value #STALL_MS} ms is let go, as is one whose
 * connection breaks; the page of a living one connects again by itself. Safe for any thread.
 */
final class LiveStream implements AutoCloseable {
    static final long STALL_MS = 15_000;

    private final EpochClock clock;
    private final int maxClients;
    private final Semaphore places;
    private final Set<LiveClient> clients = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    LiveStream(EpochClock clock, int maxClients) {
        this.clock = clock;
        this.maxClients = maxClients;
        this.places = new Semaphore(maxClients);
    }

    record DeliveryEvent(String alertId, DeliveryView delivery) {}

    void open(Context ctx) {
        if (closed || !places.tryAcquire()) {
            throw new ProblemException(
                    Problem.of(503, "too-many-clients", "Too many live clients", "At most " + maxClients + " at once."),
                    10);
        }
        ctx.res().setContentType("text/event-stream;charset=utf-8");
        ctx.header("X-Accel-Buffering", "no");
        ctx.future(() -> connect(ctx));
    }

    private CompletableFuture<Void> connect(Context ctx) {
        LiveClient client;
        try {
            client = LiveClient.connect(ctx.req(), ctx.res(), clock);
        } catch (IOException e) {
            places.release();
            return CompletableFuture.completedFuture(null);
        }
        clients.add(client);
        var unused = client.gone().whenComplete((nothing, failure) -> {
            clients.remove(client);
            places.release();
        });
        client.offer(frame("retry: 2000\n\n"));
        return client.gone();
    }

    void publish(LiveSnapshot snapshot) {
        byte[] frame = event("snapshot", snapshot);
        offerToAll(frame);
    }

    void publish(AlertView alert) {
        broadcast(event("alert", alert));
    }

    void publish(String alertId, DeliveryView delivery) {
        broadcast(event("delivery", new DeliveryEvent(alertId, delivery)));
    }

    /** In place of a snapshot when there is none: keeps connections open and finds broken ones. */
    void heartbeat() {
        offerToAll(frame(": heartbeat\n\n"));
    }

    private void offerToAll(byte[] frame) {
        for (LiveClient client : clients) {
            client.closeIfStalled(STALL_MS);
            client.offerSnapshot(frame);
        }
    }

    private void broadcast(byte[] frame) {
        clients.forEach(client -> client.offer(frame));
    }

    int clientCount() {
        return clients.size();
    }

    private static byte[] event(String name, Object data) {
        return frame("event: " + name + "\ndata: " + new String(ApiJson.encode(data), StandardCharsets.UTF_8) + "\n\n");
    }

    private static byte[] frame(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        closed = true;
        clients.forEach(LiveClient::close);
    }
}
