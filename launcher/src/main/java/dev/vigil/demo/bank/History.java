package dev.vigil.demo.bank;

import dev.vigil.demo.chance.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Makes up the payments of the weeks before a stream begins. */
final class History {
    private static final long SPAN_MS = Duration.ofDays(28).toMillis();
    /** A pause before the stream, so that nothing of the past is near its first windows. */
    private static final long PAUSE_MS = Duration.ofHours(2).toMillis();

    private final Bank bank;
    private final Habits habits;
    private final Dice dice;

    History(Bank bank) {
        this.bank = bank;
        this.habits = new Habits(bank);
        this.dice = new Dice(Dice.hash(bank.shape().seed(), 3));
    }

    List<Payment> before(long endMs, int paymentsPerAccount) {
        List<Payment> payments = new ArrayList<>(bank.accounts().size() * paymentsPerAccount);
        for (Account account : bank.accounts()) {
            for (int i = 0; i < paymentsPerAccount; i++) {
                long timeMs = wakingTimeMs(account, endMs);
                payments.add(habits.payment(account, timeMs, Delivery.onTime(timeMs), dice));
            }
        }
        payments.sort(Comparator.comparingLong(Payment::eventTimeMs));
        for (int i = 0; i < payments.size(); i++) {
            payments.set(i, payments.get(i).withId(i + 1L));
        }
        return payments;
    }

    private long wakingTimeMs(Account account, long endMs) {
        while (true) {
            long timeMs = endMs - PAUSE_MS - (long) (dice.unit() * (SPAN_MS - PAUSE_MS));
            if (habits.isAwake(account, timeMs, dice)) {
                return timeMs;
            }
        }
    }
}
