package dev.vigil.demo.bank;

import dev.vigil.demo.chance.Dice;
import dev.vigil.demo.chance.Weights;
import java.util.List;
import java.util.function.Consumer;

/**
 * Honest traffic: payments and logins, a few of them delivered out of order, twice or too late.
 *
 * <p>Of all events one in {@value #TOO_LATE_EVERY} is too late, 3 % come up to 5 s late and 0.5 % up to four minutes; of
 * the logins 2 % come twice and 4 % fail and are tried again.
 */
final class Background {
    static final int TOO_LATE_EVERY = 300;
    static final double LOGIN_SHARE = 0.18;
    static final double SHORTLY_LATE_SHARE = 0.03;
    static final double LONG_LATE_SHARE = 0.005;
    static final double DUPLICATE_SHARE = 0.02;
    static final double FAILED_LOGIN_SHARE = 0.04;
    private static final int TRIES_MAX = 60;

    private final List<Account> accounts;
    private final Weights byActivity;
    private final Habits habits;
    private final BlockedCards blocked;
    private final LoginIds loginIds;
    private final Dice dice;
    private long events;

    Background(Bank bank, BlockedCards blocked, LoginIds loginIds, Dice dice) {
        this.accounts = bank.accounts();
        this.byActivity = Weights.of(accounts, Account::activity);
        this.habits = new Habits(bank);
        this.blocked = blocked;
        this.loginIds = loginIds;
        this.dice = dice;
    }

    /** Plans the event that becomes known at {@code nowMs} or happens then and becomes known later. */
    void arrive(long nowMs, Consumer<Action> plan) {
        boolean tooLate = events++ % TOO_LATE_EVERY == TOO_LATE_EVERY / 2;
        long eventTimeMs = tooLate ? nowMs - longAgoMs() : nowMs;
        Delivery delivery = tooLate ? new Delivery(nowMs, Timeliness.TOO_LATE, null) : soon(nowMs);
        Account account = actor(nowMs);
        if (dice.chance(LOGIN_SHARE)) {
            login(account, eventTimeMs, delivery, plan);
        } else {
            plan.accept(habits.payment(account, eventTimeMs, delivery, dice));
        }
    }

    private Account actor(long nowMs) {
        Account account = accounts.get(byActivity.pick(dice));
        for (int tries = 1; tries < TRIES_MAX; tries++) {
            if (!blocked.isBlocked(account, nowMs) && habits.isAwake(account, nowMs, dice)) {
                return account;
            }
            account = accounts.get(byActivity.pick(dice));
        }
        return account;
    }

    private void login(Account account, long eventTimeMs, Delivery delivery, Consumer<Action> plan) {
        boolean success = !dice.chance(FAILED_LOGIN_SHARE);
        String device = dice.pick(account.devices());
        String ip = dice.pick(account.ips());
        Login login = new Login(loginIds.next(), account.id(), device, ip, success, eventTimeMs, delivery);
        plan.accept(login);
        if (delivery.timeliness() != Timeliness.ON_TIME) {
            return;
        }
        if (!success) {
            long retryMs = eventTimeMs + dice.between(5_000, 20_000);
            boolean retrySuccess = dice.chance(0.9);
            plan.accept(new Login(
                    loginIds.next(), account.id(), device, ip, retrySuccess, retryMs, Delivery.onTime(retryMs)));
        }
        if (dice.chance(DUPLICATE_SHARE)) {
            long againMs = delivery.dueMs() + dice.between(100, 8_000);
            plan.accept(login.deliveredAs(new Delivery(againMs, Timeliness.DUPLICATE, null)));
        }
    }

    private Delivery soon(long eventTimeMs) {
        double chance = dice.unit();
        if (chance < LONG_LATE_SHARE) {
            return new Delivery(eventTimeMs + dice.between(10_000, 240_000), Timeliness.OUT_OF_ORDER, null);
        }
        if (chance < LONG_LATE_SHARE + SHORTLY_LATE_SHARE) {
            return new Delivery(eventTimeMs + dice.between(200, 5_000), Timeliness.OUT_OF_ORDER, null);
        }
        return Delivery.onTime(eventTimeMs);
    }

    private long longAgoMs() {
        return TrafficStream.TOO_LATE_MIN.toMillis() + dice.between(0, 7_200_000);
    }
}
