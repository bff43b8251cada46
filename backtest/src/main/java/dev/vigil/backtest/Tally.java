package dev.vigil.backtest;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Events counted by what is known of them. */
final class Tally {
    private static final int DECIMALS = 6;

    private long fraud;
    private long legitimate;
    private long unknown;

    void add(Label label) {
        switch (label) {
            case FRAUD -> fraud++;
            case LEGITIMATE -> legitimate++;
            case UNKNOWN -> unknown++;
        }
    }

    long fraud() {
        return fraud;
    }

    long legitimate() {
        return legitimate;
    }

    long unknown() {
        return unknown;
    }

    long total() {
        return fraud + legitimate + unknown;
    }

    /** Frauds among the labelled events; null if none is labelled. */
    @Nullable
    Double precision() {
        return share(fraud, fraud + legitimate);
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
