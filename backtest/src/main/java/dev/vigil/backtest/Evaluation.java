package dev.vigil.backtest;

import dev.vigil.backtest.BacktestReport.AlertFigures;
import dev.vigil.backtest.BacktestReport.AmountFigures;
import dev.vigil.backtest.BacktestReport.DayFigures;
import dev.vigil.backtest.BacktestReport.DecisionFigures;
import dev.vigil.backtest.BacktestReport.RuleFigures;
import dev.vigil.backtest.BacktestReport.ScoreFigures;
import dev.vigil.event.Decision;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.RuleDeclaration;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Holds one policy's decisions against what is known of the events. Memory grows with days and scores, not with events. */
final class Evaluation {
    private static final long US_PER_DAY = 86_400_000_000L;
    private static final int SCORES_PER_LINE = 10;

    private final Policy policy;
    private final Tally all = new Tally();
    private final Tally alerts = new Tally();
    private final Map<Decision, Tally> decisions = new EnumMap<>(Decision.class);
    private final Tally[] rules;
    private final Cooldown cooldown;
    private final TreeMap<Long, Day> days = new TreeMap<>();
    private final TreeMap<Integer, Tally> scores = new TreeMap<>();
    private BigDecimal fraud = BigDecimal.ZERO;
    private BigDecimal saved = BigDecimal.ZERO;
    private BigDecimal fraudAlerted = BigDecimal.ZERO;
    private BigDecimal legitimateAlerted = BigDecimal.ZERO;
    private BigDecimal legitimateDeclined = BigDecimal.ZERO;

    Evaluation(Policy policy) {
        this.policy = policy;
        cooldown = new Cooldown(policy);
        rules = new Tally[policy.rules().size()];
        for (int i = 0; i < rules.length; i++) {
            rules[i] = new Tally();
        }
        for (Decision decision : Decision.values()) {
            decisions.put(decision, new Tally());
        }
    }

    void add(Outcome outcome, Label label) {
        all.add(label);
        java.util.Objects.requireNonNull(decisions.get(outcome.decision())).add(label);
        for (int i = 0; i < rules.length; i++) {
            if (outcome.hit(i)) {
                rules[i].add(label);
            }
        }
        scores.computeIfAbsent(outcome.score() / SCORES_PER_LINE, line -> new Tally())
                .add(label);
        Day day = days.computeIfAbsent(Math.floorDiv(outcome.eventTimeUs(), US_PER_DAY), number -> new Day());
        day.events++;
        if (label == Label.FRAUD) {
            day.fraud++;
        }
        if (outcome.isAlert()) {
            alerts.add(label);
            cooldown.add(outcome.group(), outcome.eventTimeUs());
            day.alerts++;
            if (label == Label.FRAUD) {
                day.fraudAlerted++;
            }
        }
        addAmount(outcome, label);
    }

    private void addAmount(Outcome outcome, Label label) {
        BigDecimal amount = outcome.amount();
        if (amount == null) {
            return;
        }
        boolean declined = outcome.decision() == Decision.DECLINE;
        switch (label) {
            case FRAUD -> {
                fraud = fraud.add(amount);
                saved = declined ? saved.add(amount) : saved;
                fraudAlerted = outcome.isAlert() ? fraudAlerted.add(amount) : fraudAlerted;
            }
            case LEGITIMATE -> {
                legitimateAlerted = outcome.isAlert() ? legitimateAlerted.add(amount) : legitimateAlerted;
                legitimateDeclined = declined ? legitimateDeclined.add(amount) : legitimateDeclined;
            }
            case UNKNOWN -> {}
        }
    }

    Tally all() {
        return all;
    }

    AlertFigures alertFigures() {
        return new AlertFigures(
                alerts.total(),
                alerts.fraud(),
                alerts.legitimate(),
                alerts.unknown(),
                cooldown.sent(),
                days.isEmpty() ? null : Tally.share(alerts.total(), days.lastKey() - days.firstKey() + 1),
                precision(alerts),
                Tally.share(alerts.fraud(), all.fraud()),
                Tally.share(alerts.legitimate(), all.legitimate()));
    }

    /** Where nothing is known to be legitimate, every precision would be 1. */
    private @Nullable Double precision(Tally tally) {
        return all.legitimate() == 0 ? null : tally.precision();
    }

    @Nullable
    AmountFigures amountFigures() {
        return Amounts.field(policy)
                .map(field -> new AmountFigures(
                        policy.currency().currency(),
                        field,
                        exact(fraud),
                        exact(saved),
                        exact(fraudAlerted),
                        exact(legitimateAlerted),
                        exact(legitimateDeclined)))
                .orElse(null);
    }

    private BigDecimal exact(BigDecimal sum) {
        return sum.setScale(policy.currency().digits());
    }

    List<DecisionFigures> decisionFigures() {
        List<DecisionFigures> lines = new ArrayList<>();
        decisions.forEach((decision, tally) -> lines.add(
                new DecisionFigures(decision, tally.total(), tally.fraud(), tally.legitimate(), tally.unknown())));
        return lines;
    }

    List<RuleFigures> ruleFigures() {
        List<RuleFigures> lines = new ArrayList<>();
        for (int i = 0; i < rules.length; i++) {
            RuleDeclaration rule = policy.rules().get(i);
            Tally tally = rules[i];
            lines.add(new RuleFigures(
                    rule.id(),
                    rule.score(),
                    rule.shadow(),
                    tally.total(),
                    tally.fraud(),
                    tally.legitimate(),
                    tally.unknown(),
                    precision(tally),
                    Tally.share(tally.fraud(), all.fraud())));
        }
        return lines;
    }

    List<DayFigures> dayFigures() {
        List<DayFigures> lines = new ArrayList<>();
        days.forEach((number, day) -> lines.add(new DayFigures(
                LocalDate.ofEpochDay(number).toString(), day.events, day.alerts, day.fraud, day.fraudAlerted)));
        return lines;
    }

    List<ScoreFigures> scoreFigures() {
        List<ScoreFigures> lines = new ArrayList<>();
        scores.forEach((line, tally) -> lines.add(new ScoreFigures(
                line * SCORES_PER_LINE,
                line * SCORES_PER_LINE + SCORES_PER_LINE - 1,
                tally.total(),
                tally.fraud(),
                tally.legitimate(),
                tally.unknown())));
        return lines;
    }

    private static final class Day {
        private long events;
        private long alerts;
        private long fraud;
        private long fraudAlerted;
    }
}
