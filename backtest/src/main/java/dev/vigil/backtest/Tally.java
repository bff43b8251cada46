package dev.vigil.backtest;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Events counted by what is known of them. */
final class Tally {
    private static final int DECIMALS = 6;

    private final long[] events = new long[Label.values().length];

    void add(Label label) {
        events[label.ordinal()]++;
    }

    long fraud() {
        return events[Label.FRAUD.ordinal()];
    }

    long legitimate() {
        return events[Label.LEGITIMATE.ordinal()];
    }

    long unknown() {
        return events[Label.UNKNOWN.ordinal()];
    }

    long total() {
        return fraud() + legitimate() + unknown();
    }

    /** Frauds among the labelled events; null if none is labelled. */
    @Nullable
    Double precision() {
        return share(fraud(), fraud() + legitimate());
    }

    /** Rounded half up to 6 decimals; null where there is nothing to have a share in. */
    static @Nullable Double share(long part, long whole) {
        if (whole == 0) {
            return null;
        }
        return BigDecimal.valueOf(part)
                .divide(BigDecimal.valueOf(whole), DECIMALS, RoundingMode.HALF_UP)
                .doubleValue();
    }
}
