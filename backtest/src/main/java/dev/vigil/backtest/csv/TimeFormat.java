package dev.vigil.backtest.csv;

import dev.vigil.config.ConfigNode;
import dev.vigil.event.EventTimes;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a column writes times: {@code rfc3339}, {@code epoch_s}, {@code epoch_ms}, {@code epoch_us}, or a pattern such as
 * {@code yyyy-MM-dd HH:mm:ss}, which needs a zone unless it reads an offset.
 *
 * <p>A local time that its zone leaves out (clocks go forward) is refused; one that the zone has twice is the earlier.
 */
abstract class TimeFormat {
    static final String RFC_3339 = "rfc3339";

    /** @throws DateTimeException or {@link ArithmeticException} or {@link NumberFormatException} if it is no such time */
    abstract long parseUs(String text);

    /** How a complaint says what was expected. */
    abstract String description();

    static TimeFormat rfc3339() {
        return new Rfc3339Time();
    }

    /** Keys {@code format} and {@code zone} of a column's mapping. */
    static TimeFormat read(ConfigNode node) {
        String format = node.get("format", RFC_3339, ConfigNode::text);
        ZoneId zone = node.find("zone").map(TimeFormat::zone).orElse(null);
        TimeFormat read = switch (format) {
            case RFC_3339 -> new Rfc3339Time();
            case "epoch_s" -> new EpochTime("seconds", 1_000_000L);
            case "epoch_ms" -> new EpochTime("milliseconds", 1_000L);
            case "epoch_us" -> new EpochTime("microseconds", 1L);
            default -> pattern(node.require("format"), zone);
        };
        if (zone != null && !(read instanceof PatternTime || read instanceof UtcTime)) {
            throw node.require("zone").error("format " + format + " needs no zone");
        }
        return read;
    }

    private static ZoneId zone(ConfigNode node) {
        try {
            return ZoneId.of(node.text());
        } catch (DateTimeException e) {
            throw node.expected("a zone such as UTC or Europe/Paris");
        }
    }

    private static TimeFormat pattern(ConfigNode node, @Nullable ZoneId zone) {
        String pattern = node.text();
        if (!pattern.contains("y") && !pattern.contains("u")) {
            throw node.expected("rfc3339, epoch_s, epoch_ms, epoch_us, or a pattern such as yyyy-MM-dd HH:mm:ss");
        }
        DateTimeFormatter formatter;
        try {
            // Strict, so that 30 February is no date; strict wants 'u', the year without an era.
            formatter = DateTimeFormatter.ofPattern(pattern.replace('y', 'u'), Locale.ROOT)
                    .withResolverStyle(ResolverStyle.STRICT);
        } catch (IllegalArgumentException e) {
            throw node.error("not a pattern of date and time: " + e.getMessage());
        }
        if (pattern.replace('u', 'y').equals(UtcTime.PATTERN)
                && ZoneId.of("UTC").equals(zone)) {
            return new UtcTime();
        }
        boolean readsOffset = pattern.matches(".*[XxZOVz].*");
        if (zone == null && !readsOffset) {
            throw node.error("the pattern reads no offset, so 'zone' must say where its times hold, as in zone: UTC");
        }
        return new PatternTime(pattern, formatter, readsOffset ? null : zone);
    }

    private static long checked(Instant instant) {
        long timeUs = EventTimes.fromInstant(instant);
        if (timeUs < EventTimes.MIN_US || timeUs > EventTimes.MAX_US) {
            throw new DateTimeException("outside the years 0001 to 9999");
        }
        return timeUs;
    }

    private static final class Rfc3339Time extends TimeFormat {
        @Override
        long parseUs(String text) {
            return EventTimes.parse(text);
        }

        @Override
        String description() {
            return "a time as in 2026-11-30T06:55:24Z";
        }
    }

    private static final class EpochTime extends TimeFormat {
        private final String unit;
        private final long usPerUnit;

        EpochTime(String unit, long usPerUnit) {
            this.unit = unit;
            this.usPerUnit = usPerUnit;
        }

        @Override
        long parseUs(String text) {
            long timeUs = Math.multiplyExact(Long.parseLong(text), usPerUnit);
            return checked(EventTimes.toInstant(timeUs));
        }

        @Override
        String description() {
            return unit + " since 1970";
        }
    }

    /** The one pattern that most files have, without the general parser. */
    private static final class UtcTime extends TimeFormat {
        private static final String PATTERN = "yyyy-MM-dd HH:mm:ss";

        @Override
        long parseUs(String text) {
            if (text.length() != PATTERN.length() || text.charAt(10) != ' ') {
                throw new DateTimeException("not of the form " + PATTERN);
            }
            return EventTimes.parse(text.substring(0, 10) + 'T' + text.substring(11) + 'Z');
        }

        @Override
        String description() {
            return "a time as " + PATTERN + " in UTC";
        }
    }

    private static final class PatternTime extends TimeFormat {
        private final String pattern;
        private final DateTimeFormatter formatter;
        private final @Nullable ZoneId zone;

        PatternTime(String pattern, DateTimeFormatter formatter, @Nullable ZoneId zone) {
            this.pattern = pattern;
            this.formatter = formatter;
            this.zone = zone;
        }

        @Override
        long parseUs(String text) {
            TemporalAccessor parsed = formatter.parse(text);
            ZoneId local = zone;
            if (local == null) {
                return checked(Instant.from(parsed));
            }
            LocalDateTime time = parsed.isSupported(ChronoField.NANO_OF_DAY)
                    ? LocalDateTime.from(parsed)
                    : java.time.LocalDate.from(parsed).atStartOfDay();
            List<java.time.ZoneOffset> offsets = local.getRules().getValidOffsets(time);
            if (offsets.isEmpty()) {
                throw new DateTimeException("no such time in " + local);
            }
            return checked(time.toInstant(offsets.get(0)));
        }

        @Override
        String description() {
            return "a time as " + pattern + (zone == null ? "" : " in " + zone);
        }
    }
}
