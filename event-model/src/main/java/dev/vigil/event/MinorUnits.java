package dev.vigil.event;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;

/**
 * Amounts of one currency as exact integers in its minor unit: EUR 57.16 is 5716, JPY 5000 is 5000, KWD 1.234 is 1234.
 */
public final class MinorUnits {
    private static final int MAX_TEXT = 64;

    /** Every integer of so many digits fits 64 bits. */
    private static final int MAX_DIGITS = 18;

    private final String currency;
    private final int digits;

    private MinorUnits(String currency, int digits) {
        this.currency = currency;
        this.digits = digits;
    }

    /** @throws IllegalArgumentException for a code that ISO 4217 does not know or that has no minor unit (XXX, XAU) */
    public static MinorUnits of(String currencyCode) {
        int digits;
        try {
            digits = Currency.getInstance(currencyCode).getDefaultFractionDigits();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected an ISO 4217 currency code such as EUR, found " + currencyCode, e);
        }
        if (digits < 0) {
            throw new IllegalArgumentException("currency " + currencyCode + " has no minor unit");
        }
        return new MinorUnits(currencyCode, digits);
    }

    public String currency() {
        return currency;
    }

    /** Digits after the decimal point: EUR 2, JPY 0, KWD 3. */
    public int digits() {
        return digits;
    }

    /**
     * Minor units of a decimal number in major units: {@code "57.16"}, {@code "-0.5"}, {@code "1e2"}.
     *
     * @throws ArithmeticException if the amount has more digits than the currency or does not fit 64 bits
     * @throws NumberFormatException if it is no decimal number; NaN and infinities are none
     */
    public long parse(String text) {
        long fast = parsePlain(text);
        if (fast != Long.MIN_VALUE) {
            return fast;
        }
        if (text.length() > MAX_TEXT) {
            throw new NumberFormatException("an amount of " + text.length() + " characters");
        }
        BigDecimal amount = new BigDecimal(text);
        if (Math.abs((long) amount.scale()) > 1_000) {
            throw new ArithmeticException("exponent out of range: " + text);
        }
        return amount.setScale(digits, RoundingMode.UNNECESSARY).unscaledValue().longValueExact();
    }

    /** Plain digits with at most the currency's decimals, 18 with these; Long.MIN_VALUE: let BigDecimal judge. */
    private long parsePlain(String text) {
        int length = text.length();
        int start = length > 0 && text.charAt(0) == '-' ? 1 : 0;
        if (length == start || length - start > MAX_DIGITS - digits) {
            return Long.MIN_VALUE;
        }
        long value = 0;
        int decimals = -1;
        for (int i = start; i < length; i++) {
            char c = text.charAt(i);
            if (c == '.' && decimals < 0 && i > start) {
                decimals = 0;
            } else if (c >= '0' && c <= '9') {
                value = value * 10 + (c - '0');
                if (decimals >= 0) {
                    decimals++;
                }
            } else {
                return Long.MIN_VALUE;
            }
        }
        if (decimals == 0 || decimals > digits) {
            return Long.MIN_VALUE;
        }
        for (int i = Math.max(decimals, 0); i < digits; i++) {
            value *= 10;
        }
        return start == 1 ? -value : value;
    }

    public BigDecimal toDecimal(long minorUnits) {
        return BigDecimal.valueOf(minorUnits, digits);
    }

    /** Nearest double in major units: exactly what the decimal literal means to a double, up to 2^53 minor units. */
    public double toDouble(long minorUnits) {
        return digits == 0 ? minorUnits : minorUnits / powerOfTen();
    }

    /** Minor units per major unit: 1, 100, 1000. */
    public double powerOfTen() {
        return switch (digits) {
            case 0 -> 1.0;
            case 1 -> 10.0;
            case 2 -> 100.0;
            case 3 -> 1_000.0;
            default -> Math.pow(10, digits);
        };
    }
}
