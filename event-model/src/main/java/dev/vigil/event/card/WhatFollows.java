package dev.vigil.event.card;

/** Digits that stand right behind a card number: those that come with one, or more of them. */
final class WhatFollows {
    private static final int CODE_DIGITS = 3;
    /** Of years, the last two digits; cards are issued for a few years. */
    private static final int FIRST_YEAR = 20;

    private static final int LAST_YEAR = 49;

    private WhatFollows() {}

    /** Nothing, zeros, an expiry date with or without a security code, or another card number that is followed so. */
    static boolean belongsToACard(byte[] digits, int from, int end) {
        return isFilled(digits, from, end)
                || isExpiry(digits, from, end - from)
                || end - from > CODE_DIGITS && isExpiry(digits, from, end - from - CODE_DIGITS)
                || isAnother(digits, from, end);
    }

    /** One or two may stand there by chance. */
    private static boolean isFilled(byte[] digits, int from, int end) {
        if (end - from == 1 || end - from == 2) {
            return false;
        }
        for (int i = from; i < end; i++) {
            if (digits[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Month and year in either order, the year in two digits or in four. */
    private static boolean isExpiry(byte[] digits, int from, int length) {
        if (length == 4) {
            int first = two(digits, from);
            int second = two(digits, from + 2);
            return isMonth(first) && isYear(second) || isYear(first) && isMonth(second);
        }
        if (length == 6) {
            boolean isMonthFirst = isMonth(two(digits, from)) && two(digits, from + 2) == 20;
            boolean isYearFirst = two(digits, from) == 20 && isYear(two(digits, from + 2));
            return isMonthFirst && isYear(two(digits, from + 4)) || isYearFirst && isMonth(two(digits, from + 4));
        }
        return false;
    }

    private static boolean isAnother(byte[] digits, int from, int end) {
        for (int length = Math.min(CardSchemes.MAX_DIGITS, end - from); length >= CardSchemes.MIN_DIGITS; length--) {
            if (CardSchemes.isCard(digits, from, length) && belongsToACard(digits, from + length, end)) {
                return true;
            }
        }
        return false;
    }

    private static int two(byte[] digits, int from) {
        return digits[from] * 10 + digits[from + 1];
    }

    private static boolean isMonth(int number) {
        return number >= 1 && number <= 12;
    }

    private static boolean isYear(int number) {
        return number >= FIRST_YEAR && number <= LAST_YEAR;
    }
}
