package dev.vigil.event.card;

/**
 * How numbers of payment schemes begin, how long they are, and their check digit. What begins like no scheme's, or is longer or
 * shorter than that scheme's, is no card number: of the numbers of 16 digits that pass the check this leaves four of ten, of those
 * of 14 one of twenty.
 */
final class CardSchemes {
    static final int MIN_DIGITS = 13;
    static final int MAX_DIGITS = 19;

    private CardSchemes() {}

    /** @param digits values 0 to 9 */
    static boolean isCard(byte[] digits, int start, int length) {
        return length >= MIN_DIGITS
                && length <= MAX_DIGITS
                && isOfAScheme(digits, start, length)
                && passesLuhn(digits, start, length)
                && !(length == MIN_DIGITS && isArticleNumber(digits, start));
    }

    private static boolean isOfAScheme(byte[] digits, int start, int length) {
        int two = digits[start] * 10 + digits[start + 1];
        int four = two * 100 + digits[start + 2] * 10 + digits[start + 3];
        return switch (digits[start]) {
            // Mir, Mastercard. Years, which dates begin with, are below.
            case 2 -> isIn(four, 2200, 2204) && length >= 16 || isIn(four, 2221, 2720) && length == 16;
            case 3 -> isOfAScheme3(two, four, length);
            // Visa
            case 4 -> length == 13 || length == 16 || length >= 18;
            // Mastercard, Maestro
            case 5 -> isIn(two, 51, 55) ? length == 16 : (length >= 16 && isIn(two, 50, 58)) || isShortMaestro(four);
            // Discover, RuPay, UnionPay, Maestro, and others with 16
            case 6 -> length == 16 || two == 67 || isShortMaestro(four) || isLongSix(two, four) && length > 16;
            // RuPay, UnionPay, Uzcard
            case 8 -> (two == 81 || two == 82) && length >= 16 || four == 8600 && length == 16;
            // Troy, Humo
            case 9 -> (four == 9792 || four == 9860) && length == 16;
            default -> false;
        };
    }

    /** American Express, Diners Club, JCB; 15 digits from 35 on are devices' numbers (IMEI). */
    private static boolean isOfAScheme3(int two, int four, int length) {
        return switch (two) {
            case 34, 37 -> length == 15;
            case 35 -> isIn(four, 3528, 3589) && length >= 16;
            case 30 -> (isIn(four, 3000, 3059) || isIn(four, 3095, 3099)) && length >= 14;
            case 36, 38, 39 -> length >= 14;
            default -> false;
        };
    }

    private static boolean isShortMaestro(int four) {
        return four == 5018 || four == 5020 || four == 5038 || four == 5893 || four == 6304;
    }

    private static boolean isLongSix(int two, int four) {
        return two == 60 || two == 62 || four >= 6440 && two == 64 || two == 65;
    }

    private static boolean isIn(int number, int from, int to) {
        return number >= from && number <= to;
    }

    private static boolean passesLuhn(byte[] digits, int start, int length) {
        int sum = 0;
        boolean isDoubled = false;
        for (int i = start + length - 1; i >= start; i--) {
            int weighted = isDoubled ? digits[i] * 2 : digits[i];
            sum += weighted > 9 ? weighted - 9 : weighted;
            isDoubled = !isDoubled;
        }
        return sum % 10 == 0;
    }

    /** Articles in shops are numbered with 13 digits and a check of their own (EAN); cards of 13 digits are no longer issued. */
    private static boolean isArticleNumber(byte[] digits, int start) {
        int sum = 0;
        for (int i = 0; i < MIN_DIGITS; i++) {
            sum += i % 2 == 0 ? digits[start + i] : 3 * digits[start + i];
        }
        return sum % 10 == 0;
    }
}
