package dev.vigil.engine.kafka;

import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.Explanation;
import dev.vigil.scoring.ScoredBefore;
import java.nio.charset.StandardCharsets;
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
    /** Several idle polls, or one long step. */
    private static final long PATIENCE_MS = 5_000;

    private final List<ScoringWorker> workers;
    private final int partitions;

    /** @param workers of the engine, as they come and go */
    EventExplainer(List<ScoringWorker> workers, int partitions) {
        this.workers = workers;
        this.partitions = partitions;
    }

    Explanation explain(String account, String eventId, @Nullable String source) {
        return await(ask(account, eventId, source)).explain();
    }

    private Future<ScoredBefore> ask(String account, String eventId, @Nullable String source) {
        // As a producer chooses it for the key.
        int partition = Utils.toPositive(Utils.murmur2(account.getBytes(StandardCharsets.UTF_8))) % partitions;
        for (ScoringWorker worker : workers) {
            if (worker.tasks().stream().anyMatch(task -> task.partition() == partition)) {
                return worker.questions().ask(partition, account, eventId, source);
            }
        }
        throw new CannotExplainException(
                Kind.ELSEWHERE,
                "account " + account + " is of partition " + partition + ", which this engine does not have now");
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
