package dev.vigil.demo.cards;

import dev.vigil.demo.chance.Dice;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Customers and terminals, and what happens among them day by day. */
final class CardWorld {
    private static final int SECONDS_PER_DAY = 86_400;
    private static final long HIGH_AMOUNT_MINOR = 22_000;
    private static final int TERMINAL_COMPROMISED_DAYS = 28;
    private static final int CARD_STOLEN_DAYS = 14;
    private static final double TERMINALS_COMPROMISED_PER_DAY = 2.5e-4;
    private static final double CARDS_STOLEN_PER_DAY = 7e-4;
    private static final double STOLEN_USE_CHANCE = 1.0 / 3;
    private static final double TWICE_CHANCE = 0.001;
    private static final double ANNIVERSARY_CHANCE = 0.006;
    private static final double VERIFICATION_CHANCE = 0.0003;
    private static final int[] ANNIVERSARY_DAYS = {1, 7, 30};

    /** A payment of today that has no id yet. */
    private record Draft(int second, int customer, int terminal, long amountMinor, int scenario) {}

    private final HandbookShape shape;
    private final Dice dice;
    private final List<CardHolder> holders;
    private final int[] terminalHonestFromDay;
    private final int[] cardHonestFromDay;
    /** By day modulo 31 and customer: the second of a payment, or -1. */
    private final int[][] rememberedSeconds = new int[31][];

    private int day;
    private long nextId;

    CardWorld(HandbookShape shape) {
        this.shape = shape;
        this.dice = new Dice(shape.seed());
        this.holders = CardHolder.settle(shape.customers(), shape.terminals(), dice);
        this.terminalHonestFromDay = new int[shape.terminals()];
        this.cardHonestFromDay = new int[shape.customers()];
        for (int i = 0; i < rememberedSeconds.length; i++) {
            rememberedSeconds[i] = new int[shape.customers()];
            Arrays.fill(rememberedSeconds[i], -1);
        }
    }

    /** The payments of the next day, in order of time and id. */
    List<CardPayment> nextDay() {
        strike(terminalHonestFromDay, TERMINALS_COMPROMISED_PER_DAY, TERMINAL_COMPROMISED_DAYS);
        strike(cardHonestFromDay, CARDS_STOLEN_PER_DAY, CARD_STOLEN_DAYS);
        Arrays.fill(rememberedSeconds[day % rememberedSeconds.length], -1);
        List<Draft> drafts = new ArrayList<>();
        for (CardHolder holder : holders) {
            for (int left = holder.paymentsToday(dice); left > 0; left--) {
                int second = second(holder);
                drafts.add(draft(holder, second));
                if (dice.chance(TWICE_CHANCE)) {
                    drafts.add(draft(holder, second));
                }
                rememberedSeconds[day % rememberedSeconds.length][holder.id()] = second;
            }
        }
        drafts.sort(Comparator.comparingInt(Draft::second));
        LocalDateTime midnight = shape.firstDay().plusDays(day).atStartOfDay();
        List<CardPayment> payments = new ArrayList<>(drafts.size());
        for (Draft draft : drafts) {
            payments.add(new CardPayment(
                    nextId++,
                    midnight.plusSeconds(draft.second()),
                    draft.customer(),
                    draft.terminal(),
                    draft.amountMinor(),
                    draft.scenario()));
        }
        day++;
        return payments;
    }

    private Draft draft(CardHolder holder, int second) {
        int terminal = holder.terminal(dice);
        long amountMinor = dice.chance(VERIFICATION_CHANCE) ? 0 : holder.amountMinor(dice);
        int scenario = amountMinor > HIGH_AMOUNT_MINOR ? 1 : 0;
        if (day < terminalHonestFromDay[terminal]) {
            scenario = 2;
        }
        if (day < cardHonestFromDay[holder.id()] && dice.chance(STOLEN_USE_CHANCE)) {
            amountMinor *= 5;
            scenario = 3;
        }
        return new Draft(second, holder.id(), terminal, amountMinor, scenario);
    }

    /** Usually around noon or in the evening; now and then to the second 1, 7 or 30 days after another payment. */
    private int second(CardHolder holder) {
        if (dice.chance(ANNIVERSARY_CHANCE)) {
            int daysAgo = ANNIVERSARY_DAYS[dice.below(ANNIVERSARY_DAYS.length)];
            int remembered =
                    day < daysAgo ? -1 : rememberedSeconds[(day - daysAgo) % rememberedSeconds.length][holder.id()];
            if (remembered >= 0) {
                return remembered;
            }
        }
        double hour = dice.chance(0.55) ? 12.5 + 2.8 * dice.gaussian() : 18.3 + 2.2 * dice.gaussian();
        return Math.floorMod((int) (hour * 3_600), SECONDS_PER_DAY);
    }

    private void strike(int[] honestFromDay, double chancePerDay, int days) {
        for (int i = 0; i < honestFromDay.length; i++) {
            if (dice.chance(chancePerDay)) {
                honestFromDay[i] = day + days;
            }
        }
    }
}
