package dev.vigil.demo.chance;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Seeded random numbers that are the same on every Java version: only {@code nextLong()} is taken from the JDK, whose
 * algorithm is specified, and the distributions are computed with {@link StrictMath}.
 */
public final class Dice {
    private static final double TWO_TO_MINUS_53 = 0x1.0p-53;

    private final SplittableRandom random;

    public Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** A well mixed 64-bit hash of two numbers (the finaliser of SplitMix64). */
    public static long hash(long a, long b) {
        long z = a * 0x9E3779B97F4A7C15L + b;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The hash as a number in [0, 1). */
    public static double unit(long hash) {
        return (hash >>> 11) * TWO_TO_MINUS_53;
    }

    /** Uniform in [0, 1). */
    public double unit() {
        return unit(random.nextLong());
    }

    /** Uniform in [from, to). */
    public double between(double from, double to) {
        return from + (to - from) * unit();
    }

    /** Uniform in [from, to], both included. */
    public int between(int from, int to) {
        return from + (int) (unit() * ((long) to - from + 1));
    }

    /** Uniform in [0, bound). */
    public int below(int bound) {
        return (int) (unit() * bound);
    }

    public boolean chance(double probability) {
        return unit() < probability;
    }

    public <T> T pick(List<T> values) {
        return values.get(below(values.size()));
    }

    public double gaussian() {
        double radius = StrictMath.sqrt(-2.0 * StrictMath.log(1.0 - unit()));
        return radius * StrictMath.cos(2.0 * StrictMath.PI * unit());
    }

    /** Log-normal with mean 1: what an amount is multiplied with to scatter around its expectation. */
    public double spread(double sigma) {
        return StrictMath.exp(sigma * gaussian() - sigma * sigma / 2);
    }

    /** Exponential with the given mean: the gap between two arrivals that know nothing of each other. */
    public double gap(double mean) {
        return -mean * StrictMath.log(1.0 - unit());
    }
}
