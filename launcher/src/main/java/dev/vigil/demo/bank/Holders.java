package dev.vigil.demo.bank;

import dev.vigil.demo.chance.Dice;
import dev.vigil.demo.chance.Weights;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Opens accounts: who lives where, spends how much, acts how often and owns what. */
final class Holders {
    private static final Instant FIRST_OPENING = Instant.parse("2008-01-01T08:00:00Z");
    private static final int OPENING_SPAN_MINUTES = 18 * 365 * 24 * 60;

    private final List<Town> towns;
    private final Weights byPopulation;
    private final Dice dice;

    Holders(List<Town> towns, Dice dice) {
        this.towns = towns;
        this.byPopulation = Weights.of(towns, Town::weight);
        this.dice = dice;
    }

    List<Account> open(int count) {
        List<Account> accounts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            accounts.add(open(i, String.format(Locale.ROOT, "A%05d", i + 1)));
        }
        return List.copyOf(accounts);
    }

    private Account open(int index, String id) {
        long typicalSpendMinor = Math.round(3_800 * dice.spread(0.45));
        long limitMinor = Math.max(50_000, roundedUp(typicalSpendMinor * dice.between(40, 90), 10_000));
        return new Account(
                index,
                id,
                towns.get(byPopulation.pick(dice)),
                typicalSpendMinor,
                dice.spread(0.6),
                FIRST_OPENING.plus(Duration.ofMinutes(dice.below(OPENING_SPAN_MINUTES))),
                limitMinor,
                numbered(id + "-C", dice.chance(0.3) ? 2 : 1),
                numbered(id + "-D", dice.between(1, 3)),
                List.of(address(), address()));
    }

    private static List<String> numbered(String prefix, int count) {
        List<String> names = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            names.add(prefix + i);
        }
        return names;
    }

    /** An address from 198.18.0.0/15, which is set aside for tests and belongs to nobody. */
    private String address() {
        return "198." + (18 + dice.below(2)) + "." + dice.below(256) + "." + (1 + dice.below(254));
    }

    private static long roundedUp(long amount, long step) {
        return (amount + step - 1) / step * step;
    }
}
