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

    private CardNumbers() {}

    public static boolean isIn(String text) {
        int i = 0;
        while (i < text.length()) {
            if (!isDigit(text.charAt(i))) {
                i++;
                continue;
            }
            int end = endOfRun(text, i);
            if (end - i >= MIN_DIGITS && standsAlone(text, i, end) && holdsNumber(text, i, end)) {
                return true;
            }
            i = end;
        }
        return false;
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

    private static boolean standsAlone(String text, int start, int end) {
        return (start == 0 || !isWord(text.charAt(start - 1))) && (end == text.length() || !isWord(text.charAt(end)));
    }

    /** Any sequence of whole groups: a number may stand beside other digits. */
    private static boolean holdsNumber(String text, int start, int end) {
        List<String> groups = groups(text, start, end);
        for (int first = 0; first < groups.size(); first++) {
            StringBuilder digits = new StringBuilder();
            for (int last = first; last < groups.size() && digits.length() <= MAX_DIGITS; last++) {
                digits.append(groups.get(last));
                if (isCardNumber(digits)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<String> groups(String text, int start, int end) {
        List<String> groups = new ArrayList<>();
        int groupStart = start;
        for (int i = start; i <= end; i++) {
            if (i == end || isSeparator(text.charAt(i))) {
                groups.add(text.substring(groupStart, i));
                groupStart = i + 1;
            }
        }
        return groups;
    }

    private static boolean isCardNumber(CharSequence digits) {
        int length = digits.length();
        if (length < MIN_DIGITS || length > MAX_DIGITS || digits.charAt(0) < '2' || digits.charAt(0) > '6') {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < length; i++) {
            int digit = digits.charAt(length - 1 - i) - '0';
            int weighted = i % 2 == 0 ? digit : digit * 2;
            sum += weighted > 9 ? weighted - 9 : weighted;
        }
        return sum % 10 == 0;
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
