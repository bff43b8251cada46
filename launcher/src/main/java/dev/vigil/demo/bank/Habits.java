package dev.vigil.demo.bank;

import dev.vigil.demo.chance.Dice;
import dev.vigil.demo.chance.Weights;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How honest account holders act: when in the day, where, on what and for how much. */
final class Habits {
    /** Relative activity by local hour. */
    private static final double[] RHYTHM = {
        0.10, 0.06, 0.04, 0.04, 0.05, 0.10, 0.25, 0.50, 0.70, 0.75, 0.80, 0.90,
        1.00, 0.95, 0.80, 0.75, 0.85, 1.00, 1.00, 0.95, 0.80, 0.60, 0.40, 0.20
    };

    private static final double IN_SHOP_CHANCE = 0.75;
    private static final double PRICEY_CHANCE = 0.004;
    private static final long AMOUNT_MIN_MINOR = 80;
    /** So that the mean over all categories is the holder's typical spend. */
    private static final double MEAN_FACTOR = meanFactor();

    private final Market market;
    private final Itinerary itinerary;
    private final List<Category> soldOnline =
            Stream.of(Category.values()).filter(Category::isSoldOnline).toList();
    private final Weights soldOnlineByShare = Weights.of(soldOnline, Category::share);

    Habits(Bank bank) {
        this.market = bank.market();
        this.itinerary = bank.itinerary();
    }

    /** Whether the holder would act at this time of day; about every second time is a yes. */
    boolean isAwake(Account account, long epochMs, Dice dice) {
        Town town = itinerary.townAt(account, epochMs).orElse(account.home());
        return dice.chance(RHYTHM[town.localHour(epochMs)]);
    }

    /** An honest payment with id 0, delivered as told. */
    Payment payment(Account account, long eventTimeMs, Delivery delivery, Dice dice) {
        Terminal terminal = itinerary
                .terminalAt(account, eventTimeMs)
                .filter(shop -> dice.chance(IN_SHOP_CHANCE))
                .orElseGet(() -> paymentPage(dice));
        return payment(account, dice.pick(account.cards()), terminal, eventTimeMs, delivery, dice);
    }

    Payment payment(Account account, String cardId, Terminal terminal, long eventTimeMs, Delivery delivery, Dice dice) {
        @Nullable String device = terminal.place() == null ? dice.pick(account.devices()) : null;
        return new Payment(
                0,
                account.id(),
                cardId,
                terminal,
                amountMinor(account, terminal.merchant().category(), dice),
                device,
                eventTimeMs,
                false,
                delivery);
    }

    private Terminal paymentPage(Dice dice) {
        return dice.pick(market.paymentPages(soldOnline.get(soldOnlineByShare.pick(dice))));
    }

    private static long amountMinor(Account account, Category category, Dice dice) {
        double pricey = dice.chance(PRICEY_CHANCE) ? dice.between(2, 5) : 1;
        double mean = account.typicalSpendMinor() * category.factor() / MEAN_FACTOR;
        return Math.max(AMOUNT_MIN_MINOR, Math.round(mean * pricey * dice.spread(category.sigma())));
    }

    private static double meanFactor() {
        double shares =
                Stream.of(Category.values()).mapToDouble(Category::share).sum();
        double factors = Stream.of(Category.values())
                .mapToDouble(category -> category.share() * category.factor())
                .sum();
        return factors / shares;
    }
}
