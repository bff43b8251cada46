package dev.vigil.backtest;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredSchema;
import dev.vigil.scoring.LogRecord;
import dev.vigil.scoring.PartitionScorer;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.ScoredView;
import dev.vigil.scoring.ScoringOutbox;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.scoring.state.TaskState.End;
import dev.vigil.service.status.RecordCounts;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One policy under test and the scorer that runs it, as the live engine does: same core, same records, same steps. */
final class Arm implements ScoringOutbox {
    private static final String TOPIC_ID = "backtest";
    private static final long MAX_LIVE_EVENTS = 500_000;
    private static final int RECORDS_PER_STEP = 250_000;

    private final Policy policy;
    private final Consumer<ScoredSchema> schemas;
    private final Consumer<ScoredView> rows;
    private final Outcome outcome;
    private final Evaluation evaluation;
    private final LogRecord activation = new LogRecord();
    private RecordCounts finished = RecordCounts.ZERO;
    private @Nullable PartitionScorer scorer;
    private int recordsInStep;
    private String reason = "";
    private String detail = "";

    /**
     * @param schemas takes the schema of the scored events when a partition begins
     * @param rows takes each scored event, valid during the call only
     */
    Arm(Policy policy, Consumer<ScoredSchema> schemas, Consumer<ScoredView> rows) {
        this.policy = policy;
        this.schemas = schemas;
        this.rows = rows;
        this.outcome = new Outcome(policy);
        this.evaluation = new Evaluation(policy);
    }

    /** Starts with empty state and the policy active, before the partition's first record. */
    void begin(int partition) {
        finish();
        PartitionScorer started = new PartitionScorer(TOPIC_ID, partition, new InMemoryStateStore(), MAX_LIVE_EVENTS);
        EventEnvelope event = Policies.activation(policy, 0);
        activation.begin(0, 0, null, event.data());
        event.headers().forEach(activation::header);
        started.process(activation, this);
        if (started.counts().count(End.CONTROL) != 1) {
            throw new IllegalStateException("policy " + policy.name() + " was checked and yet refused: " + detail);
        }
        scorer = started;
    }

    /** Scores a record; {@link #outcome} then says how. */
    End process(LogRecord record) {
        PartitionScorer running = java.util.Objects.requireNonNull(scorer, "no partition has begun");
        outcome.clear();
        reason = "";
        detail = "";
        TaskState counts = running.counts();
        long duplicates = counts.count(End.DUPLICATE);
        long late = counts.count(End.LATE);
        running.process(record, this);
        if (++recordsInStep == RECORDS_PER_STEP) {
            running.write(running.takeStep());
            recordsInStep = 0;
        }
        if (outcome.isScored()) {
            return End.SCORED;
        }
        if (!reason.isEmpty()) {
            return End.DEAD_LETTERED;
        }
        if (counts.count(End.DUPLICATE) > duplicates) {
            return End.DUPLICATE;
        }
        return counts.count(End.LATE) > late ? End.LATE : End.CONTROL;
    }

    private void finish() {
        PartitionScorer running = scorer;
        if (running != null) {
            finished = finished.plus(withoutActivation(running.counts()));
        }
        scorer = null;
        recordsInStep = 0;
    }

    private static RecordCounts withoutActivation(TaskState counts) {
        return new RecordCounts(
                counts.read() - 1,
                counts.count(End.SCORED),
                counts.count(End.CONTROL) - 1,
                counts.count(End.REFERENCE),
                counts.count(End.LABEL),
                counts.count(End.DUPLICATE),
                counts.count(End.LATE),
                counts.count(End.DEAD_LETTERED));
    }

    /** Ends the last partition; counts of all of them. */
    RecordCounts counts() {
        finish();
        return finished;
    }

    Policy policy() {
        return policy;
    }

    Outcome outcome() {
        return outcome;
    }

    Evaluation evaluation() {
        return evaluation;
    }

    String reason() {
        return reason;
    }

    String detail() {
        return detail;
    }

    @Override
    public void scored(ScoredView event) {
        outcome.take(event);
        rows.accept(event);
    }

    @Override
    public void corrected(ScoredView event) {
        // A backtest counts what was decided at the time, and once per event.
    }

    @Override
    public void alert(String account, byte[] alert) {
        outcome.alerted();
    }

    @Override
    public void summary(String account, byte[] summary) {
        // No part of a report on decisions.
    }

    @Override
    public void schema(byte[] schema) {
        schemas.accept(Json.decode(schema, ScoredSchema.class));
    }

    @Override
    public void late(LogRecord record) {
        // Known from the counts, which also hold late events that the policy drops.
    }

    @Override
    public void deadLetter(LogRecord record, DeadLetter.Reason why, String what) {
        reason = why.code();
        detail = what;
    }
}
