package dev.vigil.demo.bank;

import dev.vigil.demo.chance.Dice;
import java.time.Duration;
import java.time.Instant;

/**
 * The endless stream of what happens in a bank, in the order in which it is to be delivered.
 *
 * <p>Ordinary events happen at the given rate, at random, from the start instant on in real time. Fraud is planted on top
 * of them: the first case 0.7 s after the start, then each scenario once within about 15 s, from then on one case per
 * {@value #EVENTS_PER_INCIDENT} ordinary events on average but at most one per second, each scenario equally often. Every
 * fraudulent payment is followed by its label 20 to 120 s later.
 *
 * <p>The same bank, rate, start and first id give the same stream, action by action. Not thread-safe.
 */
public final class TrafficStream {
    /** An event delivered as {@link Timeliness#TOO_LATE} is at least this old. */
    public static final Duration TOO_LATE_MIN = Duration.ofMinutes(65);

    public static final int EVENTS_PER_INCIDENT = 500;

    private static final double FIRST_INCIDENT_MS = 700;
    private static final double OPENING_GAP_MS = 3_000;
    private static final double INCIDENT_GAP_MS_MIN = 1_000;

    private final Agenda agenda = new Agenda();
    private final LoginIds loginIds;
    private final Background background;
    private final Plots plots;
    private final Dice dice;
    private final double meanGapMs;
    private double nextArrivalMs;
    private double nextIncidentMs;
    private long nextPaymentId;

    /**
     * @param eventsPerSecond ordinary events, above 0
     * @param start the event time of the first one
     * @param firstPaymentId above 0; a stream that continues another one takes the id after its last
     */
    public TrafficStream(Bank bank, double eventsPerSecond, Instant start, long firstPaymentId) {
        if (!(eventsPerSecond > 0) || eventsPerSecond > 1_000_000) {
            throw new IllegalArgumentException("eventsPerSecond: expected 0 < n <= 1000000, found " + eventsPerSecond);
        }
        if (firstPaymentId <= 0) {
            throw new IllegalArgumentException("firstPaymentId: expected more than 0, found " + firstPaymentId);
        }
        long startMs = start.toEpochMilli();
        BlockedCards blocked = new BlockedCards(bank.accounts().size());
        this.loginIds = new LoginIds(startMs);
        this.dice = new Dice(Dice.hash(bank.shape().seed() + 4, firstPaymentId));
        this.background = new Background(bank, blocked, loginIds, dice);
        this.plots = new Plots(bank, blocked, loginIds, dice);
        this.meanGapMs = 1_000 / eventsPerSecond;
        this.nextArrivalMs = startMs + dice.gap(meanGapMs);
        this.nextIncidentMs = startMs + FIRST_INCIDENT_MS;
        this.nextPaymentId = firstPaymentId;
    }

    /** What the ids of this stream's logins, and of no other's, begin with. */
    public String loginIdPrefix() {
        return loginIds.prefix();
    }

    /** The next action; {@code delivery().dueMs()} never decreases. */
    public Action next() {
        while (!agenda.hasDue(Math.min(nextArrivalMs, nextIncidentMs))) {
            if (nextArrivalMs <= nextIncidentMs) {
                background.arrive((long) nextArrivalMs, agenda::add);
                nextArrivalMs += dice.gap(meanGapMs);
            } else {
                plots.plant((long) nextIncidentMs, agenda::add);
                nextIncidentMs += incidentGapMs();
            }
        }
        return numbered(agenda.take());
    }

    private double incidentGapMs() {
        double meanMs = EVENTS_PER_INCIDENT * meanGapMs;
        if (plots.incidents() < Scenario.values().length) {
            return Math.max(INCIDENT_GAP_MS_MIN, Math.min(OPENING_GAP_MS, meanMs));
        }
        return Math.max(INCIDENT_GAP_MS_MIN, meanMs * dice.between(0.5, 1.5));
    }

    private Action numbered(Action action) {
        if (!(action instanceof Payment draft)) {
            return action;
        }
        Payment payment = draft.withId(nextPaymentId++);
        if (payment.fraud()) {
            payment.delivery().planted().ifPresent(incident -> agenda.add(label(payment, incident)));
        }
        return payment;
    }

    private FraudLabel label(Payment payment, Incident incident) {
        long foundMs = payment.delivery().dueMs() + dice.between(20_000, 120_000);
        return new FraudLabel(
                payment.id(),
                payment.accountId(),
                incident.scenario(),
                foundMs,
                new Delivery(foundMs, Timeliness.ON_TIME, incident));
    }
}
