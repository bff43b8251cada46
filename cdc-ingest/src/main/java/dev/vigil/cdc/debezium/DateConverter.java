package dev.vigil.cdc.debezium;

import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import io.debezium.time.Date;
import java.time.LocalDate;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Properties;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Reads dates the same wherever they come from. Stream, first snapshot and snapshot on demand take different ways, and the
 * engine's own conversion of what a snapshot reads drops the era: 44 BC would become the year 44.
 *
 * <p>Created by the engine, by name.
 */
public final class DateConverter implements CustomConverter<SchemaBuilder, RelationalColumn> {

    /** A number of days that is out of range wherever it is read. */
    private static final int NO_DATE = Integer.MAX_VALUE;

    @Override
    public void configure(Properties settings) {}

    @Override
    public void converterFor(RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
        if ("date".equalsIgnoreCase(column.typeName())) {
            registration.register(Date.builder(), DateConverter::days);
        }
    }

    /** Days since the epoch. */
    static @Nullable Integer days(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (value instanceof java.sql.Date date) {
            return isWithinTheEra(date) ? days(date.toLocalDate()) : NO_DATE;
        }
        if (value instanceof LocalDate date) {
            return days(date);
        }
        if (value instanceof Integer days) {
            return days;
        }
        throw new IllegalArgumentException("expected a date, found " + value.getClass());
    }

    private static int days(LocalDate date) {
        long days = date.toEpochDay();
        return days == (int) days ? (int) days : NO_DATE;
    }

    /** The driver's infinities are years far away, before and after. */
    private static boolean isWithinTheEra(java.sql.Date date) {
        Calendar calendar = new GregorianCalendar();
        calendar.setTimeInMillis(date.getTime());
        return calendar.get(Calendar.ERA) == GregorianCalendar.AD;
    }
}
