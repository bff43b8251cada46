package dev.vigil.scoring.window;

import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.StoredEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * Exact sum of an integer field in 128 bits, and what follows from it: sum, mean, standard deviation. A sum beyond 64
 * bits is absent; its mean is not.
 */
final class SumAccumulator extends Accumulator {
    enum Result {
        SUM,
        MEAN,
        DEVIATION
    }

    private static final long EXACT_IN_DOUBLE = 1L << 53;

    private final int slot;
    private final Result result;
    private final double unitsPerValue;
    private long count;
    private long high;
    private long low;
    private BigInteger squares = BigInteger.ZERO;

    /** @param unitsPerValue what a mean is divided by: minor units per major unit for money, else 1 */
    SumAccumulator(int slot, Result result, double unitsPerValue) {
        this.slot = slot;
        this.result = result;
        this.unitsPerValue = unitsPerValue;
    }

    @Override
    void reset() {
        count = 0;
        high = 0;
        low = 0;
        squares = BigInteger.ZERO;
    }

    @Override
    void add(StoredEvent event) {
        if (event.hasNumber(slot)) {
            count++;
            long value = event.number(slot);
            plus(value >> 63, value);
            if (result == Result.DEVIATION) {
                squares = squares.add(BigInteger.valueOf(value).pow(2));
            }
        }
    }

    @Override
    void remove(StoredEvent event) {
        if (event.hasNumber(slot)) {
            count--;
            long value = event.number(slot);
            plus(value == 0 ? 0 : ~(value >> 63), -value);
            if (result == Result.DEVIATION) {
                squares = squares.subtract(BigInteger.valueOf(value).pow(2));
            }
        }
    }

    private void plus(long addedHigh, long addedLow) {
        long sum = low + addedLow;
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        low = sum;
        high += addedHigh + carry;
    }

    private boolean fitsLong() {
        return high == low >> 63;
    }

    private BigInteger sum() {
        return BigInteger.valueOf(high).shiftLeft(64).add(new BigInteger(Long.toUnsignedString(low)));
    }

    @Override
    void writeTo(Frame frame, int target) {
        frame.setAbsent(target);
        switch (result) {
            case SUM -> {
                if (fitsLong()) {
                    frame.setNumber(target, low);
                }
            }
            case MEAN -> {
                if (count > 0) {
                    frame.setDouble(target, mean());
                }
            }
            case DEVIATION -> {
                if (count > 1) {
                    frame.setDouble(target, deviation());
                }
            }
        }
    }

    /** One division, hence correctly rounded, as long as both sides are exact in a double. */
    private double mean() {
        if (fitsLong() && Math.abs(low) <= EXACT_IN_DOUBLE && count * unitsPerValue <= EXACT_IN_DOUBLE) {
            return low / (count * unitsPerValue);
        }
        return new BigDecimal(sum())
                .divide(new BigDecimal(count).multiply(new BigDecimal(unitsPerValue)), MathContext.DECIMAL128)
                .doubleValue();
    }

    /** sqrt((n Σx² − (Σx)²) / (n (n − 1))), exact up to the root. */
    private double deviation() {
        BigInteger n = BigInteger.valueOf(count);
        BigInteger numerator = n.multiply(squares).subtract(sum().pow(2));
        BigDecimal variance = new BigDecimal(numerator)
                .divide(new BigDecimal(n.multiply(n.subtract(BigInteger.ONE))), MathContext.DECIMAL128);
        return Math.sqrt(variance.doubleValue()) / unitsPerValue;
    }
}
