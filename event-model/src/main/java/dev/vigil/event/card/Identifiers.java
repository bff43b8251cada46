package dev.vigil.event.card;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Words in which digits that look like a card number stand by chance. */
final class Identifiers {
    /** Longer words are no identifiers; so a text costs no more than its length. */
    private static final int MAX_LENGTH = 256;

    private static final int IBAN_MAX = 34;
    private static final int IBAN_MIN = 15;
    /** With a blank or dash after each four. */
    private static final int IBAN_MAX_WRITTEN = IBAN_MAX + IBAN_MAX / 4;

    /** UUIDs, trace contexts, hashes: made of hexadecimal digits. */
    private static final Pattern HEXADECIMAL = Pattern.compile("(?<![0-9A-Za-z])(?:"
            + "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
            + "|[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}"
            + "|(?=[0-9]*[a-fA-F])[0-9a-fA-F]{24,}"
            + ")(?![0-9A-Za-z])");

    private static final Pattern IBAN_START = Pattern.compile("(?<![0-9A-Za-z])[A-Z]{2}[0-9]{2}");

    private Identifiers() {}

    /** Whether any of these characters, the second index exclusive, are part of an identifier. */
    static boolean overlap(String text, int start, int end) {
        Matcher hexadecimal = HEXADECIMAL
                .matcher(text)
                .region(startOfWord(text, start), endOfWord(text, end))
                .useTransparentBounds(true);
        while (hexadecimal.find()) {
            if (hexadecimal.start() < end && hexadecimal.end() > start) {
                return true;
            }
        }
        Matcher iban = IBAN_START
                .matcher(text)
                .region(Math.max(0, start - IBAN_MAX_WRITTEN), end)
                .useTransparentBounds(true);
        while (iban.find()) {
            if (isIban(text, iban.start(), start, end)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an account's number with a valid check begins there and goes beyond the start and at least to the end. */
    private static boolean isIban(String text, int from, int start, int end) {
        StringBuilder iban = new StringBuilder(IBAN_MAX);
        int i = from;
        while (i < text.length() && iban.length() < IBAN_MAX) {
            char c = text.charAt(i);
            boolean isPart = c >= '0' && c <= '9' || c >= 'A' && c <= 'Z';
            if (isPart) {
                iban.append(c);
            } else if (c != ' ' && c != '-') {
                break;
            }
            i++;
            boolean isEnd = i == text.length() || !Character.isLetterOrDigit(text.charAt(i));
            if (isPart && isEnd && i >= end && i > start && iban.length() >= IBAN_MIN && hasIbanCheck(iban)) {
                return true;
            }
        }
        return false;
    }

    /** ISO 7064, modulus 97: the first four characters count last, and letters as 10 to 35. */
    private static boolean hasIbanCheck(CharSequence iban) {
        int rest = 0;
        for (int i = 0; i < iban.length(); i++) {
            char c = iban.charAt((i + 4) % iban.length());
            int value = Character.digit(c, 36);
            rest = (value < 10 ? rest * 10 + value : rest * 100 + value) % 97;
        }
        return rest == 1;
    }

    private static int startOfWord(String text, int from) {
        int start = from;
        while (start > Math.max(0, from - MAX_LENGTH) && isWord(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    private static int endOfWord(String text, int from) {
        int end = from;
        while (end < Math.min(text.length(), from + MAX_LENGTH) && isWord(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Of what an identifier is made of, dashes included. */
    private static boolean isWord(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-';
    }
}
