package dev.vigil.demo.cards;

import dev.vigil.demo.chance.Dice;
import java.util.ArrayList;
import java.util.List;

/**
 * A customer's habits.
 *
 * @param terminals those near home, at least one
 */
record CardHolder(int id, double paymentsPerDay, double meanAmountMinor, List<Integer> terminals) {
    private static final double SIDE = 100;
    private static final double REACH = 6;
    private static final double SIGMA = 0.55;

    /** Scatters customers and terminals over a square; who lives far from any terminal goes to a random one. */
    static List<CardHolder> settle(int customers, int terminals, Dice dice) {
        double[] x = new double[terminals];
        double[] y = new double[terminals];
        for (int i = 0; i < terminals; i++) {
            x[i] = dice.between(0.0, SIDE);
            y[i] = dice.between(0.0, SIDE);
        }
        List<CardHolder> holders = new ArrayList<>(customers);
        for (int id = 0; id < customers; id++) {
            double homeX = dice.between(0.0, SIDE);
            double homeY = dice.between(0.0, SIDE);
            List<Integer> near = new ArrayList<>();
            for (int i = 0; i < terminals; i++) {
                double dx = x[i] - homeX;
                double dy = y[i] - homeY;
                if (dx * dx + dy * dy <= REACH * REACH) {
                    near.add(i);
                }
            }
            if (near.isEmpty()) {
                near.add(dice.below(terminals));
            }
            holders.add(new CardHolder(id, dice.between(0.2, 3.8), dice.between(600.0, 9_000.0), List.copyOf(near)));
        }
        return holders;
    }

    /** Poisson, by counting arrivals within the day. */
    int paymentsToday(Dice dice) {
        int count = 0;
        for (double at = dice.gap(1 / paymentsPerDay); at < 1; at += dice.gap(1 / paymentsPerDay)) {
            count++;
        }
        return count;
    }

    int terminal(Dice dice) {
        return dice.pick(terminals);
    }

    /** At least a cent. */
    long amountMinor(Dice dice) {
        return Math.max(1, Math.round(meanAmountMinor * dice.spread(SIGMA)));
    }
}
