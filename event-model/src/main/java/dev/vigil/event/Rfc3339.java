package dev.vigil.event;

import java.nio.charset.StandardCharsets;

/**
 * The one form of RFC 3339 that nearly every event has, {@code yyyy-MM-ddTHH:mm:ss[.f]Z}, read without allocation and
 * written with little; the general parser is some thirty times slower, which the engine's cost per event would show.
 */
final class Rfc3339 {
    static final long NOT_PLAIN = Long.MIN_VALUE;

    private Rfc3339() {}

    /** µs since the epoch, or {@link #NOT_PLAIN}: let the general parser judge. */
    static long parseUtc(String text) {
        int length = text.length();
        if (length < 20 || length > 27 || text.charAt(length - 1) != 'Z') {
            return NOT_PLAIN;
        }
        if (text.charAt(4) != '-'
                || text.charAt(7) != '-'
                || text.charAt(10) != 'T'
                || text.charAt(13) != ':'
                || text.charAt(16) != ':') {
            return NOT_PLAIN;
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        int fractionUs = 0;
        if (length > 20) {
            if (text.charAt(19) != '.') {
                return NOT_PLAIN;
            }
            fractionUs = number(text, 20, length - 1);
            for (int digits = length - 21; digits < 6; digits++) {
                fractionUs *= 10;
            }
        }
        if (year < 1 || month < 1 || month > 12 || day < 1 || day > 28 && day > daysIn(year, month)) {
            return NOT_PLAIN;
        }
        if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || fractionUs < 0) {
            return NOT_PLAIN;
        }
        long seconds = epochDay(year, month, day) * 86_400L + hour * 3_600L + minute * 60L + second;
        return seconds * 1_000_000L + fractionUs;
    }

    /** -1 (or less, after scaling) if a character is not a digit, or the range is empty. */
    private static int number(String text, int from, int to) {
        int value = from == to ? -1 : 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static int daysIn(int year, int month) {
        return switch (month) {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    /** As {@link java.time.format.DateTimeFormatter#ISO_INSTANT} has it, for a time of the years 0001 to 9999. */
    static String format(long timeUs) {
        long second = Math.floorDiv(timeUs, 1_000_000L);
        int fractionUs = (int) Math.floorMod(timeUs, 1_000_000L);
        int secondOfDay = (int) Math.floorMod(second, 86_400L);
        int fractionDigits = fractionUs == 0 ? 0 : fractionUs % 1_000 == 0 ? 3 : 6;
        byte[] text = new byte[fractionDigits == 0 ? 20 : 21 + fractionDigits];
        date(text, Math.floorDiv(second, 86_400L));
        text[10] = 'T';
        digits(text, 11, 2, secondOfDay / 3_600);
        text[13] = ':';
        digits(text, 14, 2, secondOfDay / 60 % 60);
        text[16] = ':';
        digits(text, 17, 2, secondOfDay % 60);
        if (fractionDigits > 0) {
            text[19] = '.';
            digits(text, 20, fractionDigits, fractionDigits == 3 ? fractionUs / 1_000 : fractionUs);
        }
        text[text.length - 1] = 'Z';
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** The reverse of {@link #epochDay} (H. Hinnant, "civil_from_days"). */
    private static void date(byte[] text, long epochDay) {
        long day = epochDay + 719_468L;
        long era = Math.floorDiv(day, 146_097L);
        int dayOfEra = (int) (day - era * 146_097L);
        int yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int fromMarch = (5 * dayOfYear + 2) / 153;
        int month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
        digits(text, 0, 4, (int) (era * 400) + yearOfEra + (month <= 2 ? 1 : 0));
        text[4] = '-';
        digits(text, 5, 2, month);
        text[7] = '-';
        digits(text, 8, 2, dayOfYear - (153 * fromMarch + 2) / 5 + 1);
    }

    private static void digits(byte[] text, int at, int count, int value) {
        int rest = value;
        for (int i = at + count - 1; i >= at; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** Days since 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant, "days_from_civil"). */
    private static long epochDay(int year, int month, int day) {
        int y = month <= 2 ? year - 1 : year;
        int era = Math.floorDiv(y, 400);
        int yearOfEra = y - era * 400;
        int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * 146_097L + dayOfEra - 719_468L;
    }
}
