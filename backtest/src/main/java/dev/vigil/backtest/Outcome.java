package dev.vigil.backtest;

import dev.vigil.event.Decision;
import dev.vigil.scoring.ScoredView;
import dev.vigil.scoring.policy.Policy;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What one policy made of the record at hand. Reused from record to record by one thread. */
public final class Outcome {
    private final boolean[] hits;
    private final @Nullable String amountField;
    private final String groupBy;
    private boolean scored;
    private boolean alert;
    private int score;
    private Decision decision = Decision.APPROVE;
    private String eventId = "";
    private String account = "";
    private String group = "";
    private long eventTimeUs;
    private @Nullable BigDecimal amount;

    Outcome(Policy policy) {
        hits = new boolean[policy.rules().size()];
        amountField = Amounts.field(policy).orElse(null);
        groupBy = policy.alerts().groupBy();
    }

    void clear() {
        scored = false;
        alert = false;
    }

    void take(ScoredView view) {
        scored = true;
        score = view.score();
        decision = view.decision();
        eventId = view.eventId();
        account = view.account();
        group = !groupBy.equals("account") && view.field(groupBy) instanceof String value ? value : account;
        eventTimeUs = view.eventTimeUs();
        for (int i = 0; i < hits.length; i++) {
            hits[i] = view.hit(i);
        }
        amount = amountField == null ? null : (BigDecimal) view.field(amountField);
    }

    void alerted() {
        alert = true;
    }

    /** Everything else holds only if so. */
    public boolean isScored() {
        return scored;
    }

    boolean isAlert() {
        return alert;
    }

    public int score() {
        return score;
    }

    public Decision decision() {
        return decision;
    }

    String eventId() {
        return eventId;
    }

    String account() {
        return account;
    }

    /** What an alert cools down with: the policy's {@code group_by}, else the account. */
    String group() {
        return group;
    }

    long eventTimeUs() {
        return eventTimeUs;
    }

    boolean hit(int rule) {
        return hits[rule];
    }

    @Nullable
    BigDecimal amount() {
        return amount;
    }
}
