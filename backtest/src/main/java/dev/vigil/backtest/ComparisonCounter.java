package dev.vigil.backtest;

import dev.vigil.backtest.BacktestReport.ChangeFigures;
import dev.vigil.backtest.BacktestReport.Comparison;
import dev.vigil.backtest.BacktestReport.Move;
import dev.vigil.event.EventTimes;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Compares the policy under test with the baseline, event by event. */
final class ComparisonCounter {
    static final String NEWLY_ALERTS = "newly_alerts";
    static final String NO_LONGER_ALERTS = "no_longer_alerts";
    private static final String NOT_SCORED = "not_scored";
    private static final int MAX_EXAMPLES = 50;

    private final Consumer<ChangedEvent> changes;
    private final Change newly = new Change();
    private final Change noLonger = new Change();
    private final Map<List<String>, Tally> moves = new TreeMap<>(java.util.Comparator.comparing(List::toString));
    private final List<ChangedEvent> examples = new ArrayList<>();
    private long both;

    /** @param changes takes each change in log order */
    ComparisonCounter(Consumer<ChangedEvent> changes) {
        this.changes = changes;
    }

    /** At least one of the two was scored. */
    void add(Outcome tested, Outcome baseline, Label label) {
        String from = decision(baseline);
        String to = decision(tested);
        if (!from.equals(to)) {
            moves.computeIfAbsent(List.of(from, to), move -> new Tally()).add(label);
        }
        if (tested.isAlert() && baseline.isAlert()) {
            both++;
        } else if (tested.isAlert()) {
            changed(newly, NEWLY_ALERTS, tested, tested, baseline, label);
        } else if (baseline.isAlert()) {
            changed(noLonger, NO_LONGER_ALERTS, baseline, tested, baseline, label);
        }
    }

    private static String decision(Outcome outcome) {
        return outcome.isScored() ? outcome.decision().label() : NOT_SCORED;
    }

    private void changed(Change change, String kind, Outcome alerting, Outcome tested, Outcome baseline, Label label) {
        change.tally.add(label);
        BigDecimal amount = alerting.amount();
        if (amount != null && label == Label.FRAUD) {
            change.fraudAmount = change.fraudAmount == null ? amount : change.fraudAmount.add(amount);
        }
        ChangedEvent event = new ChangedEvent(
                kind,
                alerting.eventId(),
                alerting.account(),
                EventTimes.format(alerting.eventTimeUs()),
                tested.isScored() ? tested.decision() : null,
                tested.isScored() ? tested.score() : null,
                baseline.isScored() ? baseline.decision() : null,
                baseline.isScored() ? baseline.score() : null,
                label);
        if (change.tally.total() <= MAX_EXAMPLES) {
            examples.add(event);
        }
        changes.accept(event);
    }

    Comparison figures() {
        List<Move> lines = new ArrayList<>();
        moves.forEach((move, tally) -> lines.add(
                new Move(move.get(0), move.get(1), tally.total(), tally.fraud(), tally.legitimate(), tally.unknown())));
        return new Comparison(both, newly.figures(), noLonger.figures(), lines, examples);
    }

    private static final class Change {
        private final Tally tally = new Tally();
        private @Nullable BigDecimal fraudAmount;

        private ChangeFigures figures() {
            return new ChangeFigures(tally.total(), tally.fraud(), tally.legitimate(), tally.unknown(), fraudAmount);
        }
    }
}
