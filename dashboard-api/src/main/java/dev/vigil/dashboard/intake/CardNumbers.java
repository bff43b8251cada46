package dev.vigil.dashboard.intake;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds what looks like a payment card's number: 13 to 19 digits that pass the Luhn check and start like a card of a
 * payment scheme (2 to 6), together or in groups with single spaces or dashes between them, and not part of a longer
 * word. So {@code 4111 1111 1111 1111} is found inside a sentence, while time stamps in milliseconds or microseconds,
 * identifiers that fail the check, hashes and UUIDs are not.
 */
public final class CardNumbers {
    private static final int MIN_DIGITS = 13;
    private static final int MAX_DIGITS = 19;
    private static final int SHOWN_FIRST = 6;
    private static final int SHOWN_LAST = 4;

    private CardNumbers() {}

    /** Characters of a text, the second index exclusive. */
    private record Span(int start, int end) {}

    public static boolean isIn(String text) {
        return !find(text, 1).isEmpty();
    }

    /** The text with a star for every digit of a card number but the first six and the last four. */
    public static String masked(String text) {
        List<Span> numbers = find(text, Integer.MAX_VALUE);
        if (numbers.isEmpty()) {
            return text;
        }
        StringBuilder masked = new StringBuilder(text);
        for (Span number : numbers) {
            int digits = digits(text, number);
            for (int i = number.start, seen = 0; i < number.end; i++) {
                if (isDigit(text.charAt(i)) && ++seen > SHOWN_FIRST && seen <= digits - SHOWN_LAST) {
                    masked.setCharAt(i, '*');
                }
            }
        }
        return masked.toString();
    }

    private static List<Span> find(String text, int most) {
        List<Span> found = List.of();
        int i = 0;
        while (i < text.length() && found.size() < most) {
            if (!isDigit(text.charAt(i))) {
                i++;
                continue;
            }
            Span run = new Span(i, endOfRun(text, i));
            if (run.end - run.start >= MIN_DIGITS && standsAlone(text, run)) {
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

    private static boolean standsAlone(String text, Span run) {
        return (run.start == 0 || !isWord(text.charAt(run.start - 1)))
                && (run.end == text.length() || !isWord(text.charAt(run.end)));
    }

    /** Any sequence of whole groups: a number may stand beside other digits. */
    private static List<Span> withNumbersOf(String text, Span run, List<Span> before) {
        List<Span> groups = groups(text, run);
        List<Span> found = before;
        for (int first = 0; first < groups.size(); first++) {
            int digits = 0;
            for (int last = first; last < groups.size() && digits <= MAX_DIGITS; last++) {
                digits += groups.get(last).end - groups.get(last).start;
                Span candidate = new Span(groups.get(first).start, groups.get(last).end);
                if (isCardNumber(text, candidate, digits)) {
                    found = found.isEmpty() ? new ArrayList<>() : found;
                    found.add(candidate);
                }
            }
        }
        return found;
    }

    private static List<Span> groups(String text, Span run) {
        List<Span> groups = new ArrayList<>();
        int groupStart = run.start;
        for (int i = run.start; i <= run.end; i++) {
            if (i == run.end || isSeparator(text.charAt(i))) {
                groups.add(new Span(groupStart, i));
                groupStart = i + 1;
            }
        }
        return groups;
    }

    private static boolean isCardNumber(String text, Span span, int digits) {
        char first = text.charAt(span.start);
        if (digits < MIN_DIGITS || digits > MAX_DIGITS || first < '2' || first > '6') {
            return false;
        }
        int sum = 0;
        boolean isDoubled = false;
        for (int i = span.end - 1; i >= span.start; i--) {
            char c = text.charAt(i);
            if (isDigit(c)) {
                int weighted = isDoubled ? (c - '0') * 2 : c - '0';
                sum += weighted > 9 ? weighted - 9 : weighted;
                isDoubled = !isDoubled;
            }
        }
        return sum % 10 == 0;
    }

    private static int digits(String text, Span span) {
        return (int) text.substring(span.start, span.end)
                .chars()
                .filter(c -> isDigit((char) c))
                .count();
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isSeparator(char c) {
        return c == ' ' || c == '-' || c == '\u00a0';
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
