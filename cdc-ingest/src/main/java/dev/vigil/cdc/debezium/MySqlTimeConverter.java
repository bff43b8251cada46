package dev.vigil.cdc.debezium;

import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import io.debezium.time.Date;
import io.debezium.time.MicroTimestamp;
import io.debezium.time.ZonedTimestamp;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;
import java.util.Properties;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Reads dates and times the same from snapshot and log, and tells a zero date from one. MySQL lets {@code 0000-00-00} stand even
 * in a column that is never null; driver and engine make null of it, and then the engine makes the year 1970 of that. Here it
 * becomes a value that is out of range. A column that may be null gives null for it: there the two cannot be told apart.
 *
 * <p>Created by the engine, by name.
 */
public final class MySqlTimeConverter implements CustomConverter<SchemaBuilder, RelationalColumn> {

    private static final int NO_DATE = Integer.MAX_VALUE;
    private static final long NO_TIME = Long.MAX_VALUE;
    private static final String NO_ZONED_TIME = "none";
    private static final LocalDate BEFORE_CALENDARS_CHANGED = LocalDate.of(1582, 10, 14);
    private static final LocalDate AFTER_CALENDARS_CHANGED = LocalDate.of(1582, 10, 25);

    @Override
    public void configure(Properties settings) {}

    @Override
    public void converterFor(RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
        boolean isNullable = column.isOptional();
        String type = column.typeName().toUpperCase(Locale.ROOT).replaceFirst("\\(.*", "");
        switch (type) {
            case "DATE" -> registration.register(Date.builder(), value -> days(value, isNullable));
            case "DATETIME" -> registration.register(MicroTimestamp.builder(), value -> timeUs(value, isNullable));
            case "TIMESTAMP" -> registration.register(ZonedTimestamp.builder(), value -> zoned(value, isNullable));
            default -> {}
        }
    }

    /** Days since the epoch. */
    static @Nullable Integer days(@Nullable Object value, boolean isNullable) {
        if (value == null && isNullable) {
            return null;
        }
        if (value instanceof java.sql.Date date) {
            return (int) date.toLocalDate().toEpochDay();
        }
        return value instanceof LocalDate date ? (int) date.toEpochDay() : NO_DATE;
    }

    /** µs since the epoch, as if the clock on the wall were at UTC. */
    static @Nullable Long timeUs(@Nullable Object value, boolean isNullable) {
        if (value == null && isNullable) {
            return null;
        }
        LocalDateTime time = value instanceof Timestamp timestamp && !mayBeShifted(timestamp, ZoneId.systemDefault())
                ? timestamp.toLocalDateTime()
                : value instanceof LocalDateTime local ? local : null;
        return time == null
                ? NO_TIME
                : (Long) (time.toEpochSecond(ZoneOffset.UTC) * 1_000_000 + time.getNano() / 1_000);
    }

    /**
     * What a snapshot reads has gone through the JVM's zone. An hour that the zone leaves out, in the night in which summer time
     * begins, has become the hour after it, and cannot be told from that one; nor can the ten days of 1582 that Java's calendar
     * leaves out.
     */
    static boolean mayBeShifted(Timestamp time, ZoneId zone) {
        LocalDate day = time.toLocalDateTime().toLocalDate();
        if (day.isAfter(BEFORE_CALENDARS_CHANGED) && day.isBefore(AFTER_CALENDARS_CHANGED)) {
            return true;
        }
        ZoneOffsetTransition before =
                zone.getRules().previousTransition(time.toInstant().plusSeconds(1));
        if (before == null || !before.isGap()) {
            return false;
        }
        return time.toInstant().isBefore(before.getInstant().plus(before.getDuration()));
    }

    /** RFC 3339. */
    static @Nullable String zoned(@Nullable Object value, boolean isNullable) {
        if (value == null && isNullable) {
            return null;
        }
        Instant time = value instanceof ZonedDateTime zoned
                ? zoned.toInstant()
                : value instanceof OffsetDateTime offset
                        ? offset.toInstant()
                        : value instanceof Timestamp timestamp ? timestamp.toInstant() : null;
        return time == null ? NO_ZONED_TIME : time.toString();
    }
}
