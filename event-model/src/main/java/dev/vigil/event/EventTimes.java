package dev.vigil.event;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/**
 * Event time as microseconds since 1970-01-01T00:00:00Z, and as RFC 3339 text. Anything finer than a microsecond is
 * cut off towards the past. Years 0001 to 9999.
 */
public final class EventTimes {
    public static final long MIN_US = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond() * 1_000_000L;
    public static final long MAX_US = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond() * 1_000_000L + 999_999;

    private EventTimes() {}

    public static long fromInstant(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
    }

    public static Instant toInstant(long timeUs) {
        return Instant.ofEpochSecond(Math.floorDiv(timeUs, 1_000_000L), Math.floorMod(timeUs, 1_000_000L) * 1_000);
    }

    public static long fromEpochMs(long timeMs) {
        return Math.multiplyExact(timeMs, 1_000L);
    }

    /** Shortest of seconds, milliseconds and microseconds that is exact: {@code 2026-11-30T06:55:24.250Z}. */
    public static String format(long timeUs) {
        if (timeUs >= MIN_US && timeUs <= MAX_US) {
            return Rfc3339.format(timeUs);
        }
        return DateTimeFormatter.ISO_INSTANT.format(toInstant(timeUs));
    }

    /**
     * RFC 3339 with an offset; {@code 2026-11-30T07:55:24.25+01:00} is 06:55:24.25 in UTC.
     *
     * @throws DateTimeParseException if it is none, or has no offset, or lies outside the years 0001 to 9999
     */
    public static long parse(String text) {
        long fast = Rfc3339.parseUtc(text);
        if (fast != Rfc3339.NOT_PLAIN) {
            return fast;
        }
        Instant instant = OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
        if (instant.isBefore(toInstant(MIN_US))
                || instant.isAfter(toInstant(MAX_US).plusNanos(999))) {
            throw new DateTimeParseException("outside the years 0001 to 9999", text, 0);
        }
        return fromInstant(instant);
    }
}
