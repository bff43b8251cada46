package dev.vigil.engine.kafka;

import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.Explanation;
import dev.vigil.scoring.ScoredBefore;
import dev.vigil.scoring.policy.Policy;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Explains events of the partitions that this engine has. Any thread: the worker only copies what the event could see, the
 * work of scoring it once more is the asker's.
 */
final class EventExplainer {
    /** One long step on a machine that has much else to do. */
    private static final long PATIENCE_MS = 20_000;

    private final List<ScoringWorker> workers;
    private final int partitions;

    /** @param workers of the engine, as they come and go */
    EventExplainer(List<ScoringWorker> workers, int partitions) {
        this.workers = workers;
        this.partitions = partitions;
    }

    Explanation explain(String account, String eventId, @Nullable String source) {
        // As a producer chooses it for the key.
        int expected = Utils.toPositive(Utils.murmur2(account.getBytes(StandardCharsets.UTF_8))) % partitions;
        CannotExplainException reason = new CannotExplainException(
                Kind.ELSEWHERE,
                "account " + account + " is of partition " + expected + ", which this engine does not have now");
        for (ScoringTask task : candidates(expected)) {
            try {
                return await(ask(task.partition(), account, eventId, source)).explain();
            } catch (CannotExplainException e) {
                if (e.kind() != Kind.UNKNOWN) {
                    throw e;
                }
                reason = task.partition() == expected ? e : reason;
            }
        }
        throw reason;
    }

    /** The expected partition; where others write the log, whose keys may be spread in another way, the others after it. */
    private List<ScoringTask> candidates(int expected) {
        return workers.stream()
                .flatMap(worker -> worker.tasks().stream())
                .filter(task -> task.partition() == expected || isWrittenByOthers(task))
                .sorted(Comparator.comparing(task -> task.partition() != expected))
                .toList();
    }

    private static boolean isWrittenByOthers(ScoringTask task) {
        Policy policy = task.policy();
        return policy != null && policy.plain() != null;
    }

    private Future<ScoredBefore> ask(int partition, String account, String eventId, @Nullable String source) {
        for (ScoringWorker worker : workers) {
            if (worker.tasks().stream().anyMatch(task -> task.partition() == partition)) {
                return worker.questions().ask(partition, account, eventId, source);
            }
        }
        throw new CannotExplainException(Kind.ELSEWHERE, "partition " + partition + " was just handed over; ask again");
    }

    private static ScoredBefore await(Future<ScoredBefore> answer) {
        try {
            return answer.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CannotExplainException refused) {
                throw new CannotExplainException(refused.kind(), String.valueOf(refused.getMessage()));
            }
            throw new IllegalStateException("the event could not be looked up", e.getCause());
        } catch (TimeoutException e) {
            throw new CannotExplainException(
                    Kind.BUSY, "the engine did not answer within " + PATIENCE_MS / 1_000 + " s; ask again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotExplainException(Kind.UNAVAILABLE, "interrupted while waiting for the engine");
        }
    }
}
