package dev.vigil.backtest;

import dev.vigil.backtest.BacktestReport.LabelCounts;
import dev.vigil.backtest.BacktestReport.PolicyResult;
import dev.vigil.backtest.BacktestReport.Source;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventTimes;
import dev.vigil.event.ScoredSchema;
import dev.vigil.scoring.LogRecord;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.TaskState.End;
import dev.vigil.service.ServiceException;
import dev.vigil.service.status.RecordCounts;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Replays a source through a policy, and through a baseline beside it in the same pass. Each record goes to the same core
 * as in the live engine. Labels meet the results only after scoring. One thread; used once.
 */
public final class Replay implements RecordReceiver {
    private static final int RECORDS_PER_PROGRESS = 8_192;

    private final EventSource source;
    private final Labels labels;
    private final ReplayOutput output;
    private final Progress progress;
    private final Arm tested;
    private final @Nullable Arm baseline;
    private final Outcome baselineOutcome;
    private final ComparisonCounter comparison;
    private final SetAsideCounter setAside;
    private final SetAsideCounter baselineSetAside = new SetAsideCounter(record -> {});
    private final Tally known = new Tally();
    private long records;
    private long replaced;
    private long refused;
    private int partition;
    private int partitions;
    private long firstUs = Long.MAX_VALUE;
    private long lastUs = Long.MIN_VALUE;

    /** Both policies have passed {@link dev.vigil.scoring.Policies#check}. */
    public Replay(
            EventSource source,
            Policy policy,
            @Nullable Policy baseline,
            Labels labels,
            ReplayOutput output,
            Progress progress) {
        this.source = source;
        this.labels = labels;
        this.output = output;
        this.progress = progress;
        this.baseline = baseline == null ? null : new Arm(baseline, schema -> {}, scored -> {});
        this.baselineOutcome = new Outcome(baseline == null ? policy : baseline);
        this.tested = new Arm(policy, this::begin, scored -> output.scored(scored, baselineOutcome()));
        this.comparison = new ComparisonCounter(output::changed);
        this.setAside = new SetAsideCounter(output::setAside);
    }

    private Outcome baselineOutcome() {
        return baseline == null ? baselineOutcome : baseline.outcome();
    }

    private void begin(ScoredSchema schema) {
        if (partitions == 1) {
            output.begin(schema);
        }
    }

    /**
     * Reads the whole source.
     *
     * @param events how the report names the source
     * @throws ServiceException if the source cannot be read to its end, or the thread is interrupted
     */
    public BacktestReport run(String events) {
        source.read(this);
        Arm other = baseline;
        PolicyResult result = result(tested, setAside);
        return new BacktestReport(
                BacktestReport.FORMAT,
                new Source(events, partitions, records, time(firstUs), time(lastUs)),
                notes(result),
                new LabelCounts(
                        known.fraud(),
                        known.legitimate(),
                        known.unknown(),
                        labels.unreadable() + source.unreadableLabels(),
                        labels.size()),
                result,
                other == null ? null : result(other, baselineSetAside),
                other == null ? null : comparison.figures());
    }

    private List<String> notes(PolicyResult result) {
        List<String> notes = new ArrayList<>(source.notes(tested.policy()));
        if (result.counts().late() > 0) {
            notes.add("Events that come later than the policy allows are not scored; a file should be sorted by time.");
        }
        if (known.fraud() > 0 && known.legitimate() == 0) {
            notes.add("No event is labelled legitimate, so how precise the alerts are is not known.");
        }
        return notes;
    }

    private @Nullable String time(long timeUs) {
        return firstUs > lastUs ? null : EventTimes.format(timeUs);
    }

    private PolicyResult result(Arm arm, SetAsideCounter aside) {
        RecordCounts counts = arm.counts().plus(new RecordCounts(replaced + refused, 0, replaced, 0, 0, 0, 0, refused));
        Policy policy = arm.policy();
        Evaluation evaluation = arm.evaluation();
        return new PolicyResult(
                policy.name(),
                policy.version(),
                sha256(policy.text()),
                counts,
                counts.addUp() && counts.read() == records,
                aside.reasons(),
                aside.examples(),
                evaluation.alertFigures(),
                evaluation.amountFigures(),
                evaluation.decisionFigures(),
                evaluation.ruleFigures(),
                evaluation.dayFigures(),
                evaluation.scoreFigures());
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public void partition(int number) {
        partition = number;
        partitions++;
        tested.begin(number);
        if (baseline != null) {
            baseline.begin(number);
        }
    }

    @Override
    public void record(LogRecord record, Label label) {
        read();
        Arm other = baseline;
        // First, since its outcome stands in the row that the policy under test writes.
        End baselineEnd = other == null ? null : other.process(record);
        End end = tested.process(record);
        if (other != null && baselineEnd != null) {
            asideIfNeeded(baselineSetAside, other, baselineEnd, record);
        }
        asideIfNeeded(setAside, tested, end, record);
        evaluate(label);
    }

    private void asideIfNeeded(SetAsideCounter counter, Arm arm, End end, LogRecord record) {
        if (end == End.DUPLICATE || end == End.LATE || end == End.DEAD_LETTERED) {
            String name = end.name().toLowerCase(Locale.ROOT);
            counter.add(
                    new SetAsideRecord(source.position(partition, record.offset()), name, arm.reason(), arm.detail()));
        }
    }

    private void evaluate(Label withEvent) {
        Outcome mine = tested.outcome();
        Outcome theirs = baselineOutcome();
        if (!mine.isScored() && !theirs.isScored()) {
            return;
        }
        Label label = labels.of(mine.isScored() ? mine.eventId() : theirs.eventId(), withEvent);
        if (mine.isScored()) {
            known.add(label);
            firstUs = Math.min(firstUs, mine.eventTimeUs());
            lastUs = Math.max(lastUs, mine.eventTimeUs());
            tested.evaluation().add(mine, label);
        }
        if (baseline != null) {
            if (theirs.isScored()) {
                baseline.evaluation().add(theirs, label);
            }
            comparison.add(mine, theirs, label);
        }
    }

    @Override
    public void refused(long offset, DeadLetter.Reason reason, String detail) {
        read();
        refused++;
        SetAsideRecord record =
                new SetAsideRecord(source.position(partition, offset), "dead_lettered", reason.code(), detail);
        setAside.add(record);
        baselineSetAside.add(record);
    }

    @Override
    public void replaced(long offset) {
        read();
        replaced++;
    }

    private void read() {
        records++;
        if (records % RECORDS_PER_PROGRESS == 0) {
            progress.advanced(records, source.progress());
            if (Thread.currentThread().isInterrupted()) {
                throw new ServiceException("the backtest was interrupted after " + records + " records");
            }
        }
    }
}
