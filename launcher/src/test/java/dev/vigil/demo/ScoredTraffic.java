package dev.vigil.demo;

import dev.vigil.demo.bank.Action;
import dev.vigil.demo.bank.Bank;
import dev.vigil.demo.bank.BankShape;
import dev.vigil.demo.bank.Login;
import dev.vigil.demo.bank.Payment;
import dev.vigil.demo.bank.TrafficStream;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.Decision;
import dev.vigil.event.EventTimes;
import dev.vigil.scoring.LogRecord;
import dev.vigil.scoring.PartitionScorer;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.ScoredView;
import dev.vigil.scoring.ScoringOutbox;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.scoring.state.TaskState;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plays the demo's traffic through the scoring core, as one partition of the log. */
final class ScoredTraffic {
    /** @param features those that are present; amounts as doubles */
    record Score(int score, Decision decision, Map<String, Object> features) {}

    /** Called for every action; empty for what was not scored: duplicates and late events. */
    interface Listener {
        void delivered(Action action, Optional<Score> score);
    }

    private final TrafficLog log = new TrafficLog();
    private final PartitionScorer scorer = new PartitionScorer("topic", 0, new InMemoryStateStore(), 1_000_000);
    private final LastScore lastScore = new LastScore();

    /** Everybody's profile and past payments enter as a snapshot would bring them; then the traffic begins. */
    TaskState play(Policy policy, BankShape shape, double rate, Instant start, Duration duration, Listener listener) {
        long startMs = start.toEpochMilli();
        process(log.next(Policies.activation(policy, EventTimes.fromEpochMs(startMs)), startMs));
        Bank bank = Bank.of(shape);
        bank.accounts().forEach(account -> process(log.profile(account, startMs)));
        for (Payment payment : bank.history(start, BankDatabase.PAST_PAYMENTS_PER_ACCOUNT)) {
            listener.delivered(payment, process(log.payment(payment, true)));
        }
        TrafficStream stream = new TrafficStream(bank, rate, start, 1_000_000);
        long endMs = start.plus(duration).toEpochMilli();
        for (Action action = stream.next(); action.delivery().dueMs() < endMs; action = stream.next()) {
            if (action instanceof Payment payment) {
                listener.delivered(action, process(log.payment(payment, false)));
            } else if (action instanceof Login login) {
                listener.delivered(action, process(log.login(login)));
            }
        }
        return scorer.counts();
    }

    private Optional<Score> process(LogRecord record) {
        lastScore.score = null;
        scorer.process(record, lastScore);
        return Optional.ofNullable(lastScore.score);
    }

    private static final class LastScore implements ScoringOutbox {
        private @Nullable Score score;

        @Override
        public void scored(ScoredView event) {
            Map<String, Object> features = new LinkedHashMap<>();
            for (int i = 0; i < event.features().size(); i++) {
                Object value = event.feature(i);
                if (value != null) {
                    features.put(
                            event.features().get(i).name(),
                            value instanceof BigDecimal money ? money.doubleValue() : value);
                }
            }
            score = new Score(event.score(), event.decision(), features);
        }

        @Override
        public void corrected(ScoredView event) {}

        @Override
        public void alert(String account, byte[] alert) {}

        @Override
        public void summary(String account, byte[] summary) {}

        @Override
        public void schema(byte[] schema) {}

        @Override
        public void late(LogRecord record) {}

        @Override
        public void deadLetter(LogRecord record, DeadLetter.Reason reason, String detail) {
            throw new AssertionError("dead letter " + reason + ": " + detail);
        }
    }
}
