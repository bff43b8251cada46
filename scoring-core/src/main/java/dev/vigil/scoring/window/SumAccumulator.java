package dev.vigil.scoring.window;

import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.Block;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * Exact sum of an integer field in 128 bits, and what follows from it: sum, mean, standard deviation. A sum beyond 64
 * bits is absent; its mean is not.
 */
final class SumAccumulator extends Accumulator {
    /** What is summed, and where what follows from it goes to; shared by all accounts. */
    static final class Of {
        private final int slot;
        private final double unitsPerValue;
        private int sum = -1;
        private int mean = -1;
        private int deviation = -1;

        /** @param unitsPerValue what a mean is divided by: minor units per major unit for money, else 1 */
        Of(int slot, double unitsPerValue) {
            this.slot = slot;
            this.unitsPerValue = unitsPerValue;
        }

        void sumTo(int target) {
            sum = target;
        }

        void meanTo(int target) {
            mean = target;
        }

        void deviationTo(int target) {
            deviation = target;
        }
    }

    private static final long EXACT_IN_DOUBLE = 1L << 53;

    private final Of of;
    private long count;
    private long high;
    private long low;
    private BigInteger squares = BigInteger.ZERO;

    SumAccumulator(Of of) {
        this.of = of;
    }

    @Override
    void reset() {
        count = 0;
        high = 0;
        low = 0;
        squares = BigInteger.ZERO;
    }

    @Override
    void add(Block block, int index) {
        if (block.hasNumber(index, of.slot)) {
            count++;
            long value = block.number(index, of.slot);
            plus(value >> 63, value);
            if (of.deviation >= 0) {
                squares = squares.add(BigInteger.valueOf(value).pow(2));
            }
        }
    }

    @Override
    void remove(Block block, int index) {
        if (block.hasNumber(index, of.slot)) {
            count--;
            long value = block.number(index, of.slot);
            plus(value == 0 ? 0 : ~(value >> 63), -value);
            if (of.deviation >= 0) {
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
    void writeTo(Frame frame) {
        if (of.sum >= 0) {
            frame.setAbsent(of.sum);
            if (fitsLong()) {
                frame.setNumber(of.sum, low);
            }
        }
        if (of.mean >= 0) {
            frame.setAbsent(of.mean);
            if (count > 0) {
                frame.setDouble(of.mean, mean());
            }
        }
        if (of.deviation >= 0) {
            frame.setAbsent(of.deviation);
            if (count > 1) {
                frame.setDouble(of.deviation, deviation());
            }
        }
    }

    /** One division, hence correctly rounded, as long as both sides are exact in a double. */
    private double mean() {
        if (fitsLong() && Math.abs(low) <= EXACT_IN_DOUBLE && count * of.unitsPerValue <= EXACT_IN_DOUBLE) {
            return low / (count * of.unitsPerValue);
        }
        return new BigDecimal(sum())
                .divide(new BigDecimal(count).multiply(new BigDecimal(of.unitsPerValue)), MathContext.DECIMAL128)
                .doubleValue();
    }

    /** sqrt((n Σx² − (Σx)²) / (n (n − 1))), exact up to the root. */
    private double deviation() {
        BigInteger n = BigInteger.valueOf(count);
        BigInteger numerator = n.multiply(squares).subtract(sum().pow(2));
        BigDecimal variance = new BigDecimal(numerator)
                .divide(new BigDecimal(n.multiply(n.subtract(BigInteger.ONE))), MathContext.DECIMAL128);
        return Math.sqrt(variance.doubleValue()) / of.unitsPerValue;
    }
}
