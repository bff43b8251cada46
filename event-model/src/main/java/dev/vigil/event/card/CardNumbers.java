package dev.vigil.event.card;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds what looks like a payment card's number inside any text: 13 to 19 digits that begin and are long as a scheme's are and pass
 * the check, together or in groups, letters before and behind included, in the digits of any script. So
 * {@code 4111 1111 1111 1111} is found inside a sentence, and {@code card4111.1111.1111.1111x} too.
 *
 * <p>Digits without a separator must come out even: zeros, numbers of cards, and what is written behind them, an expiry date with or
 * without a security code. {@code 00041111111111111111230} is a number, and 25 digits of which some happen to pass the check are none.
 *
 * <p>What is not one either: digits of UUIDs, trace contexts, hashes and IBANs; articles' and devices' numbers; times since 1970; dates and
 * what is numbered behind them ({@code 2026-11-30-000123}); the digits behind the point of a decimal number.
 */
public final class CardNumbers {
    /** Of a card number; fewer are none. */
    public static final int MIN_DIGITS = CardSchemes.MIN_DIGITS;

    /** Of all groups of digits but the last; cards have four, five, six. */
    private static final int MIN_GROUP = 3;

    private static final int USUAL_GROUP = 4;

    /** Three card numbers, or one with whatever stands behind it. */
    private static final int MAX_TOGETHER = 64;

    /** Of UTF-32. */
    private static final int MAX_BYTES_OF_CHARACTER = 4;

    private static final int SHOWN_FIRST = 6;
    private static final int SHOWN_LAST = 4;
    /** Of a shorter number too little would stay hidden if its first digits were shown. */
    private static final int MIN_DIGITS_SHOWN_FIRST = 15;

    private CardNumbers() {}

    /** Characters of a text, the second index exclusive. */
    private record Span(int start, int end) {}

    public static boolean isIn(String text) {
        return !find(text, 1).isEmpty();
    }

    /** The text with a star for every digit of a card number but the first six and the last four; as long as before. */
    public static String masked(String text) {
        return replaced(text, CardNumbers::stars);
    }

    /**
     * As {@link #masked(String)}, of JSON or what may once have been some: also where characters are written as escapes, of which
     * each is as many stars as it has characters.
     */
    public static String maskedJson(String json) {
        if (json.indexOf('\\') < 0) {
            return masked(json);
        }
        JsonEscapes read = new JsonEscapes(json);
        String hidden = masked(read.text());
        return masked(hidden.equals(read.text()) ? json : read.withStars(hidden));
    }

    /**
     * Bytes of which some may be text, as in a binary format, masked in place: digits there are as readable as in a text, of
     * UTF-16 and UTF-32 too.
     */
    public static byte[] masked(byte[] bytes) {
        byte[] masked = bytes.clone();
        for (int width = 1; width <= MAX_BYTES_OF_CHARACTER; width *= 2) {
            for (int first = 0; first < width; first++) {
                mask(masked, first, width);
            }
        }
        return masked;
    }

    /** @param width bytes of each character, of which all but one are zero */
    private static void mask(byte[] bytes, int first, int width) {
        StringBuilder ascii = new StringBuilder(bytes.length / width + 1);
        for (int i = first; i < bytes.length; i += width) {
            byte b = bytes[i];
            boolean isAscii =
                    b >= ' ' && b < 0x7f && (isZero(bytes, i - width + 1, i) || isZero(bytes, i + 1, i + width));
            ascii.append(isAscii ? (char) b : '\0');
        }
        String text = ascii.toString();
        String hidden = maskedJson(text);
        for (int i = 0; i < hidden.length(); i++) {
            if (hidden.charAt(i) != text.charAt(i)) {
                bytes[first + i * width] = '*';
            }
        }
    }

    /** What is outside counts as zero. */
    private static boolean isZero(byte[] bytes, int from, int to) {
        for (int i = Math.max(0, from); i < Math.min(to, bytes.length); i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** The first card number of the text, {@link #masked}; empty if there is none. */
    public static String firstMasked(String text) {
        List<Span> numbers = find(text, 1);
        return numbers.isEmpty() ? "" : stars(text.substring(numbers.get(0).start, numbers.get(0).end));
    }

    /**
     * The text with each card number replaced.
     *
     * @param replacement is given the number as it stands there, with its separators; see {@link #digits}
     */
    static String replaced(String text, UnaryOperator<String> replacement) {
        List<Span> numbers = find(text, Integer.MAX_VALUE);
        if (numbers.isEmpty()) {
            return text;
        }
        StringBuilder replaced = new StringBuilder(text.length() + 64);
        int from = 0;
        for (Span number : numbers) {
            replaced.append(text, from, number.start);
            replaced.append(replacement.apply(text.substring(number.start, number.end)));
            from = number.end;
        }
        return replaced.append(text, from, text.length()).toString();
    }

    /**
     * The digits of a decimal number that is whole, to be searched for a card number: spreadsheets and numeric columns make
     * {@code 4111111111111111.0} of one. Without its sign.
     *
     * @param number as JSON and SQL write one, exponents included
     * @return empty for a number with a fraction and for one of more digits than belong together
     */
    public static String wholeDigits(String number) {
        BigDecimal value = new BigDecimal(number).abs().stripTrailingZeros();
        return value.scale() <= 0 && (long) value.precision() - value.scale() <= MAX_TOGETHER
                ? value.toBigInteger().toString()
                : "";
    }

    /** A number without its separators, in ASCII. */
    static String digits(String number) {
        StringBuilder digits = new StringBuilder(number.length());
        number.codePoints().map(DigitRun::digit).filter(value -> value >= 0).forEach(digits::append);
        return digits.toString();
    }

    private static String stars(String number) {
        int count = digits(number).length();
        int shownFirst = count < MIN_DIGITS_SHOWN_FIRST ? 0 : SHOWN_FIRST;
        StringBuilder masked = new StringBuilder(number);
        int seen = 0;
        for (int i = 0; i < number.length(); i += Character.charCount(number.codePointAt(i))) {
            int c = number.codePointAt(i);
            if (DigitRun.digit(c) >= 0 && ++seen > shownFirst && seen <= count - SHOWN_LAST) {
                for (int j = 0; j < Character.charCount(c); j++) {
                    masked.setCharAt(i + j, '*');
                }
            }
        }
        return masked.toString();
    }

    /** In the order of the text, none within another. */
    private static List<Span> find(String text, int most) {
        if (!hasDigitsEnough(text)) {
            return List.of();
        }
        List<Span> found = new ArrayList<>();
        DigitRun run = new DigitRun(text);
        int i = 0;
        while (i < text.length() && found.size() < most) {
            int c = text.codePointAt(i);
            if (DigitRun.digit(c) < 0) {
                i += Character.charCount(c);
                continue;
            }
            i = run.read(i);
            if (run.digitCount() >= MIN_DIGITS) {
                addNumbersOf(text, run, found);
            }
        }
        return found;
    }

    /** Most texts have not. */
    private static boolean hasDigitsEnough(String text) {
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9' || c >= 0x80 && (Character.isDigit(c) || Character.isSurrogate(c))) {
                if (++count >= MIN_DIGITS) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Any sequence of whole groups, the shortest from where it starts: a number may stand beside other digits. */
    private static void addNumbersOf(String text, DigitRun run, List<Span> found) {
        int first = 0;
        int from = 0;
        while (first < run.groupCount) {
            from = Math.max(from, run.groups[first]);
            Found number = run.isFraction(first) ? null : numberFrom(run, first, from);
            if (number == null) {
                first++;
                continue;
            }
            Span span = new Span(run.startOf(number.start), run.endOf(number.end - 1));
            if (Identifiers.overlap(text, span.start, span.end)) {
                first++;
                continue;
            }
            found.add(span);
            from = number.end;
            boolean isRestTooShort = run.groups[number.group + 1] - from < MIN_DIGITS;
            first = isRestTooShort ? number.group + 1 : number.group;
        }
    }

    /**
     * Digits of a run, the second index exclusive.
     *
     * @param group in which it ends
     */
    private record Found(int start, int end, int group) {}

    /** The number that starts with this digit of the group, zeros before it left out; null if none does. */
    private static @Nullable Found numberFrom(DigitRun run, int first, int from) {
        int start = from;
        while (start < run.groups[first + 1] && run.digits[start] == 0) {
            start++;
        }
        boolean areUsual = true;
        for (int last = first; last < run.groupCount; last++) {
            boolean isTooLong = run.groups[last + 1] - start > MAX_TOGETHER
                    || last > first && run.groups[last] - start >= CardSchemes.MAX_DIGITS;
            if (isTooLong || last > first && run.isFraction(last)) {
                return null;
            }
            if (last == first || areUsual || run.size(last) >= MIN_GROUP) {
                Found number = numberWithin(run, start, last);
                boolean isGrouped = last > first && !areUsual;
                if (number != null && !(isGrouped && number.end - number.start == MIN_DIGITS)) {
                    return number;
                }
            }
            if (run.size(last) < MIN_GROUP) {
                return null;
            }
            areUsual &= run.size(last) == USUAL_GROUP;
        }
        return null;
    }

    /** The number that starts there and ends in the group, with nothing behind it in the group but what belongs to it. */
    private static @Nullable Found numberWithin(DigitRun run, int start, int group) {
        int end = run.groups[group + 1];
        for (int length = Math.min(CardSchemes.MAX_DIGITS, end - start); length >= MIN_DIGITS; length--) {
            int numberEnd = start + length;
            if (numberEnd > run.groups[group]
                    && CardSchemes.isCard(run.digits, start, length)
                    && WhatFollows.belongsToACard(run.digits, numberEnd, end)) {
                return new Found(start, numberEnd, group);
            }
        }
        return null;
    }
}
