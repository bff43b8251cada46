package dev.vigil.engine.kafka;

import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.scoring.ScoredBefore;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Questions about a worker's tasks, put by any thread and answered by the worker between two polls: a bounded queue without
 * a lock, so that scoring pays one look at an empty queue per poll.
 */
final class Questions {
    static final int MAX_WAITING = 32;

    private record Question(
            int partition,
            String account,
            String eventId,
            @Nullable String source,
            CompletableFuture<ScoredBefore> answer) {}

    private final Queue<Question> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Any thread.
     *
     * @return completed on the worker's thread, also exceptionally, with a {@link CannotExplainException}
     * @throws CannotExplainException if too many wait already
     */
    CompletableFuture<ScoredBefore> ask(int partition, String account, String eventId, @Nullable String source) {
        if (count.incrementAndGet() > MAX_WAITING) {
            count.decrementAndGet();
            throw new CannotExplainException(Kind.BUSY, MAX_WAITING + " other questions wait already; ask again");
        }
        Question question = new Question(partition, account, eventId, source, new CompletableFuture<>());
        waiting.add(question);
        if (closed) {
            refuseAll();
        }
        return question.answer();
    }

    /** The worker's thread. */
    void answer(Map<Integer, ScoringTask> tasks) {
        for (Question question = next(); question != null; question = next()) {
            ScoringTask task = tasks.get(question.partition());
            try {
                if (task == null) {
                    throw new CannotExplainException(
                            Kind.ELSEWHERE, "partition " + question.partition() + " was just handed over; ask again");
                }
                question.answer().complete(task.look(question.account(), question.eventId(), question.source()));
            } catch (RuntimeException e) {
                question.answer().completeExceptionally(e);
            }
        }
    }

    private @Nullable Question next() {
        Question question = waiting.poll();
        if (question != null) {
            count.decrementAndGet();
        }
        return question;
    }

    /** The worker's thread, at its end. */
    void close() {
        closed = true;
        refuseAll();
    }

    private void refuseAll() {
        for (Question question = next(); question != null; question = next()) {
            question.answer()
                    .completeExceptionally(new CannotExplainException(
                            Kind.UNAVAILABLE, "the engine is about to stop or to start again; ask again"));
        }
    }
}
