package dev.vigil.demo.chance;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Picks the index of one of many things, each as often as its weight says. */
public final class Weights {
    private final double[] cumulative;

    private Weights(double[] cumulative) {
        this.cumulative = cumulative;
    }

    public static <T> Weights of(List<T> things, ToDoubleFunction<T> weight) {
        double[] cumulative = new double[things.size()];
        double sum = 0;
        for (int i = 0; i < cumulative.length; i++) {
            sum += weight.applyAsDouble(things.get(i));
            cumulative[i] = sum;
        }
        return new Weights(cumulative);
    }

    public int pick(Dice dice) {
        double at = dice.unit() * cumulative[cumulative.length - 1];
        int low = 0;
        int high = cumulative.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (cumulative[middle] <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
