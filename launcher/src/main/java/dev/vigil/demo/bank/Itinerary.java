package dev.vigil.demo.bank;

import dev.vigil.demo.chance.Dice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where an account holder is at a given time, and at which terminal the card would be put in there.
 *
 * <p>A pure function of the seed, the account and the time: nothing is remembered, so a stream that was stopped and
 * continues, and one that plays an event of two hours ago, agree with each other. Time is cut into slots of six days per
 * account; in one of sixteen its holder travels to another town and back, at 600 km/h plus two hours, and pays only
 * online on the way. Within a town a holder stays at one terminal for 25 minutes and then has five to walk to the next, so
 * that honest payments never look faster than a car.
 */
final class Itinerary {
    private static final long SLOT_MS = Duration.ofDays(6).toMillis();
    private static final long TERMINAL_SPELL_MS = Duration.ofMinutes(30).toMillis();
    private static final long TERMINAL_STAY_MS = Duration.ofMinutes(25).toMillis();
    private static final long CHECK_IN_MS = Duration.ofHours(2).toMillis();
    private static final double KM_PER_HOUR = 600;
    private static final double TRIP_CHANCE = 1.0 / 16;

    private final long seed;
    private final List<Town> towns;
    private final Market market;

    Itinerary(long seed, List<Town> towns, Market market) {
        this.seed = Dice.hash(seed, 2);
        this.towns = towns;
        this.market = market;
    }

    /** The town; empty while travelling. */
    Optional<Town> townAt(Account account, long epochMs) {
        long offsetMs = Math.floorMod(Dice.hash(seed, account.index()), SLOT_MS);
        long slot = Math.floorDiv(epochMs + offsetMs, SLOT_MS);
        long inSlotMs = Math.floorMod(epochMs + offsetMs, SLOT_MS);
        long dice = Dice.hash(seed ^ slot, account.index() + 0x5851F42DL);
        if (Dice.unit(dice) >= TRIP_CHANCE) {
            return Optional.of(account.home());
        }
        Town away = towns.get(Math.floorMod(Dice.hash(dice, 1), towns.size()));
        double km = account.home().centre().kilometresTo(away.centre());
        long transitMs = CHECK_IN_MS + (long) (km / KM_PER_HOUR * 3_600_000);
        long leavesMs = hoursMs(6 + 24 * Dice.unit(Dice.hash(dice, 2)));
        long arrivesMs = leavesMs + transitMs;
        long returnsMs = arrivesMs + hoursMs(8 + 32 * Dice.unit(Dice.hash(dice, 3)));
        if (inSlotMs < leavesMs || inSlotMs >= returnsMs + transitMs) {
            return Optional.of(account.home());
        }
        return inSlotMs >= arrivesMs && inSlotMs < returnsMs ? Optional.of(away) : Optional.empty();
    }

    /** The terminal in a shop; empty while travelling and on the way to the next one. */
    Optional<Terminal> terminalAt(Account account, long epochMs) {
        long offsetMs = Math.floorMod(Dice.hash(seed, account.index() + 0x14057B7EL), TERMINAL_SPELL_MS);
        if (Math.floorMod(epochMs + offsetMs, TERMINAL_SPELL_MS) >= TERMINAL_STAY_MS) {
            return Optional.empty();
        }
        long spell = Math.floorDiv(epochMs + offsetMs, TERMINAL_SPELL_MS);
        return townAt(account, epochMs).map(town -> {
            List<Terminal> terminals = market.shopTerminals(town);
            return terminals.get(Math.floorMod(Dice.hash(seed + spell, account.index()), terminals.size()));
        });
    }

    private static long hoursMs(double hours) {
        return (long) (hours * 3_600_000);
    }
}
