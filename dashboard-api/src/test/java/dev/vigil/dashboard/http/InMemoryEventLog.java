package dev.vigil.dashboard.http;

import dev.vigil.dashboard.intake.EventLog;
import dev.vigil.event.EventEnvelope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A log in memory; what an append answers can be set. */
final class InMemoryEventLog implements EventLog {
    private final List<EventEnvelope> events = new ArrayList<>();
    private volatile Supplier<CompletableFuture<Void>> answer = () -> CompletableFuture.completedFuture(null);

    void answerWith(Supplier<CompletableFuture<Void>> next) {
        this.answer = next;
    }

    @Override
    public synchronized CompletableFuture<Void> append(List<EventEnvelope> appended) {
        events.addAll(appended);
        return answer.get();
    }

    synchronized List<EventEnvelope> events() {
        return List.copyOf(events);
    }
}
