package dev.vigil.event.card;

import java.util.Arrays;

/**
 * Digits of a text in groups, each but the last followed by one to three separators. Digits are those of any script; what has no
 * width of its own stands between them as if it were not there. One thread.
 */
final class DigitRun {
    private static final int MAX_SEPARATORS = 3;

    private final String text;
    /** Values, 0 to 9. */
    byte[] digits = new byte[32];
    /** Where in the text each digit starts. */
    private int[] places = new int[32];
    /** The first digit of each group; after the last one, how many digits there are. */
    int[] groups = new int[8];
    /** Of each group: whether nothing but one dot stands before it. */
    private boolean[] afterDot = new boolean[8];

    int groupCount;
    private int digitCount;
    private int end;

    DigitRun(String text) {
        this.text = text;
    }

    /** Reads the run that starts with the digit at this place. @return where to look for the next one */
    int read(int start) {
        digitCount = 0;
        groupCount = 0;
        startGroup(false);
        int i = start;
        int separators = 0;
        int groupEnd = start;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            int value = digit(c);
            if (value >= 0) {
                if (separators > 0) {
                    startGroup(separators == 1 && text.charAt(groupEnd) == '.');
                    separators = 0;
                }
                add(value, i);
                i += Character.charCount(c);
                groupEnd = i;
            } else if (isIgnorable(c)) {
                i += Character.charCount(c);
            } else if (isSeparator(c) && separators < MAX_SEPARATORS) {
                separators++;
                i += Character.charCount(c);
            } else {
                break;
            }
        }
        end = groupEnd;
        groups[groupCount] = digitCount;
        return i;
    }

    private void startGroup(boolean isAfterDot) {
        if (groupCount + 1 >= groups.length) {
            groups = Arrays.copyOf(groups, groups.length * 2);
            afterDot = Arrays.copyOf(afterDot, groups.length);
        }
        groups[groupCount] = digitCount;
        afterDot[groupCount++] = isAfterDot;
    }

    private void add(int value, int place) {
        if (digitCount == digits.length) {
            digits = Arrays.copyOf(digits, digits.length * 2);
            places = Arrays.copyOf(places, digits.length);
        }
        digits[digitCount] = (byte) value;
        places[digitCount++] = place;
    }

    int digitCount() {
        return digitCount;
    }

    int size(int group) {
        return groups[group + 1] - groups[group];
    }

    /** Whether the group is what stands behind the point of a number with at most three digits before it, as 52.4111111111. */
    boolean isFraction(int group) {
        boolean isAlone = group > 0
                && afterDot[group]
                && !(group > 1 && afterDot[group - 1])
                && !(group + 1 < groupCount && afterDot[group + 1]);
        return isAlone && size(group - 1) <= 3;
    }

    int startOf(int digit) {
        return places[digit];
    }

    /** After the digit. */
    int endOf(int digit) {
        return digit + 1 == digitCount ? end : places[digit] + Character.charCount(text.codePointAt(places[digit]));
    }

    /** The value of a digit of any script; -1 for what is none. */
    static int digit(int codePoint) {
        if (codePoint < 0x80) {
            return codePoint >= '0' && codePoint <= '9' ? codePoint - '0' : -1;
        }
        return Character.digit(codePoint, 10);
    }

    /** Soft hyphens, joiners, marks of direction. */
    private static boolean isIgnorable(int c) {
        return c >= 0x80 && Character.getType(c) == Character.FORMAT;
    }

    /** Of what separates values, such as commas, none: lists of short numbers are no card numbers. */
    private static boolean isSeparator(int c) {
        if (c < 0x80) {
            return c == ' ' || c == '-' || c == '.' || c == '/' || c == '_' || c == '\t' || c == '\\';
        }
        int type = Character.getType(c);
        return type == Character.SPACE_SEPARATOR
                || type == Character.DASH_PUNCTUATION
                || c == '\u2212'
                || c == '\u00b7'
                || c == '\u2022'
                || c == '\u2044'
                || c == '\u2215';
    }
}
