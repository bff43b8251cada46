package dev.vigil.backtest.html;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures as people read them, the same on every machine. A figure without a meaning is a dash. */
final class Figures {
    static final String NONE = "–";

    private Figures() {}

    /** {@code 1,754,155}. */
    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** {@code 22.19 %}. */
    static String share(@Nullable Double value) {
        return value == null ? NONE : percent(value) + " %";
    }

    private static String percent(double value) {
        return BigDecimal.valueOf(value)
                .movePointRight(2)
                .setScale(2, RoundingMode.HALF_UP)
                .toPlainString();
    }

    /** {@code 17.8}. */
    static String mean(@Nullable Double value) {
        return value == null ? NONE : String.format(Locale.ROOT, "%,.1f", value);
    }

    /** {@code 1,925,677.76}. */
    static String amount(@Nullable BigDecimal value) {
        return value == null ? NONE : String.format(Locale.ROOT, "%,." + value.scale() + "f", value);
    }

    /** {@code +12}, {@code −3}, {@code ±0}. */
    static String change(long value) {
        if (value == 0) {
            return "±0";
        }
        return (value > 0 ? "+" : "−") + count(Math.abs(value));
    }

    /** In percentage points. */
    static String change(@Nullable Double now, @Nullable Double before) {
        if (now == null || before == null) {
            return NONE;
        }
        double difference = now - before;
        String points = percent(Math.abs(difference));
        if (points.equals("0.00")) {
            return "±0";
        }
        return (difference > 0 ? "+" : "−") + points + " points";
    }

    static String change(@Nullable BigDecimal now, @Nullable BigDecimal before) {
        if (now == null || before == null) {
            return NONE;
        }
        BigDecimal difference = now.subtract(before);
        if (difference.signum() == 0) {
            return "±0";
        }
        return (difference.signum() > 0 ? "+" : "−") + amount(difference.abs());
    }
}
