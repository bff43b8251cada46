package dev.vigil.event.card;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds what looks like a payment card's number: 13 to 19 digits that pass the Luhn check and start like a card of a payment
 * scheme, together or in groups with single spaces or dashes between them, inside any text, letters before and behind
 * included. So {@code 4111 1111 1111 1111} is found inside a sentence and {@code card4111111111111111x} too.
 *
 * <p>What is not one: other numbers of digits; a number that fails the check; times since 1970 in milliseconds, microseconds
 * or nanoseconds, and whatever else starts with 0 or 1; an IMEI (15 digits from 35 on); digits of a UUID, of a trace context
 * or of 24 and more hexadecimal digits in a row; dates and what is numbered behind them ({@code 2026-11-30-000123}).
 */
public final class CardNumbers {
    /** Of a card number; fewer are none. */
    public static final int MIN_DIGITS = 13;

    private static final int MAX_DIGITS = 19;
    /** Of all groups of digits but the last; cards have four, five, six. */
    private static final int MIN_GROUP = 3;

    /** Longer words are no identifiers; so a text costs no more than its length. */
    private static final int MAX_IDENTIFIER = 256;

    /** Of UTF-32. */
    private static final int MAX_BYTES_OF_CHARACTER = 4;

    private static final int IMEI_DIGITS = 15;
    private static final int SHOWN_FIRST = 6;
    private static final int SHOWN_LAST = 4;
    /** Of a shorter number too little would stay hidden if its first digits were shown. */
    private static final int MIN_DIGITS_SHOWN_FIRST = 15;

    /** Words that are made of hexadecimal digits, among which there are digits by chance. */
    private static final Pattern IDENTIFIER = Pattern.compile("(?<![0-9A-Za-z])(?:"
            + "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
            + "|[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}"
            + "|(?=[0-9]*[a-fA-F])[0-9a-fA-F]{24,}"
            + ")(?![0-9A-Za-z])");

    private CardNumbers() {}

    /** Characters of a text, the second index exclusive. */
    private record Span(int start, int end) {}

    public static boolean isIn(String text) {
        return !find(text, 1).isEmpty();
    }

    /** The text with a star for every digit of a card number but the first six and the last four. */
    public static String masked(String text) {
        return replaced(text, CardNumbers::stars);
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
        String hidden = masked(text);
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
     * @return empty for a number with a fraction and for one of more digits than a card has
     */
    public static String wholeDigits(String number) {
        BigDecimal value = new BigDecimal(number).abs().stripTrailingZeros();
        return value.scale() <= 0 && (long) value.precision() - value.scale() <= MAX_DIGITS
                ? value.toBigInteger().toString()
                : "";
    }

    /** A number without its separators. */
    static String digits(String number) {
        StringBuilder digits = new StringBuilder(number.length());
        for (int i = 0; i < number.length(); i++) {
            if (isDigit(number.charAt(i))) {
                digits.append(number.charAt(i));
            }
        }
        return digits.toString();
    }

    private static String stars(String number) {
        int count = digits(number).length();
        int shownFirst = count < MIN_DIGITS_SHOWN_FIRST ? 0 : SHOWN_FIRST;
        StringBuilder masked = new StringBuilder(number);
        for (int i = 0, seen = 0; i < number.length(); i++) {
            if (isDigit(number.charAt(i)) && ++seen > shownFirst && seen <= count - SHOWN_LAST) {
                masked.setCharAt(i, '*');
            }
        }
        return masked.toString();
    }

    /** In the order of the text, none within another. */
    private static List<Span> find(String text, int most) {
        List<Span> found = List.of();
        int i = 0;
        while (i < text.length() && found.size() < most) {
            if (!isDigit(text.charAt(i))) {
                i++;
                continue;
            }
            Span run = new Span(i, endOfRun(text, i));
            if (run.end - run.start >= MIN_DIGITS) {
                found = withNumbersOf(text, run, found);
            }
            i = run.end;
        }
        return found;
    }

    /** End of the digits, with single separators between them, that start here. */
    private static int endOfRun(String text, int start) {
        int end = start + 1;
        for (int i = start + 1; i < text.length(); i++) {
            if (isDigit(text.charAt(i))) {
                end = i + 1;
            } else if (i != end || !isSeparator(text.charAt(i))) {
                break;
            }
        }
        return end;
    }

    /** Any sequence of whole groups, the shortest from where it starts: a number may stand beside other digits. */
    private static List<Span> withNumbersOf(String text, Span run, List<Span> before) {
        List<Span> groups = groups(text, run);
        List<Span> found = before;
        int first = 0;
        while (first < groups.size()) {
            int last = lastGroupOfNumber(text, groups, first);
            if (last >= 0) {
                found = found.isEmpty() ? new ArrayList<>() : found;
                found.add(new Span(groups.get(first).start, groups.get(last).end));
                first = last;
            }
            first++;
        }
        return found;
    }

    /** Of the number that starts with this group; -1 if none does. */
    private static int lastGroupOfNumber(String text, List<Span> groups, int first) {
        int digits = 0;
        for (int last = first; last < groups.size(); last++) {
            Span group = groups.get(last);
            digits += group.end - group.start;
            if (digits > MAX_DIGITS) {
                return -1;
            }
            if (isCardNumber(text, groups.get(first).start, group.end, digits)) {
                return last;
            }
            boolean isFollowed = last + 1 < groups.size() && groups.get(last + 1).start == group.end + 1;
            if (group.end - group.start < MIN_GROUP || !isFollowed) {
                return -1;
            }
        }
        return -1;
    }

    /** Without those that are part of an identifier. */
    private static List<Span> groups(String text, Span run) {
        Matcher identifiers = IDENTIFIER
                .matcher(text)
                .region(startOfWord(text, run.start), endOfWord(text, run.end))
                .useTransparentBounds(true);
        boolean isIdentifier = identifiers.find();
        List<Span> groups = new ArrayList<>();
        int groupStart = run.start;
        for (int i = run.start; i <= run.end; i++) {
            if (i == run.end || isSeparator(text.charAt(i))) {
                while (isIdentifier && identifiers.end() <= groupStart) {
                    isIdentifier = identifiers.find();
                }
                if (!isIdentifier || groupStart < identifiers.start()) {
                    groups.add(new Span(groupStart, i));
                }
                groupStart = i + 1;
            }
        }
        return groups;
    }

    private static int startOfWord(String text, int from) {
        int start = from;
        while (start > Math.max(0, from - MAX_IDENTIFIER) && isWord(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    private static int endOfWord(String text, int from) {
        int end = from;
        while (end < Math.min(text.length(), from + MAX_IDENTIFIER) && isWord(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isCardNumber(String text, int start, int end, int digits) {
        if (digits < MIN_DIGITS || !startsLikeACard(text, start, digits)) {
            return false;
        }
        int sum = 0;
        boolean isDoubled = false;
        for (int i = end - 1; i >= start; i--) {
            char c = text.charAt(i);
            if (isDigit(c)) {
                int weighted = isDoubled ? (c - '0') * 2 : c - '0';
                sum += weighted > 9 ? weighted - 9 : weighted;
                isDoubled = !isDoubled;
            }
        }
        return sum % 10 == 0;
    }

    /** 2 to 6 are the schemes of the world, 81, 82 and 9792 those of India and Turkey. */
    private static boolean startsLikeACard(String text, int start, int digits) {
        return switch (text.charAt(start)) {
            case '2', '4', '5', '6' -> true;
            case '3' -> digits != IMEI_DIGITS || text.charAt(start + 1) != '5';
            case '8' -> text.startsWith("81", start) || text.startsWith("82", start);
            case '9' -> text.startsWith("9792", start);
            default -> false;
        };
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isSeparator(char c) {
        return switch (c) {
            case ' ', '-', '\u00a0', '\u2007', '\u2009', '\u202f', '\u2010', '\u2011', '\u2012', '\u2013', '\u2212' ->
                true;
            default -> false;
        };
    }

    /** Of what an identifier is made of, dashes included. */
    private static boolean isWord(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-';
    }
}
