package dev.vigil.scoring;

import dev.vigil.event.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The oracle: a window by filtering the account's whole history, an aggregate by its definition. Gives Long, Double, String,
 * Boolean, and BigDecimal for money; null where the feature is absent.
 */
final class NaiveWindows {
    private static final MathContext FINE = new MathContext(60);

    private NaiveWindows() {}

    /** @param known position of the last record that counts */
    private static List<NaiveEvent> window(WindowSpec spec, List<NaiveEvent> history, NaiveEvent event, long known) {
        boolean toNewest = spec.aggregate().equals("since_newest");
        long end = event.timeUs() - spec.delayUs();
        return history.stream()
                .filter(past -> toNewest ? past.position() < event.position() : past.position() <= known)
                .filter(past -> past.timeUs() > end - spec.overUs() && (toNewest || past.timeUs() <= end))
                .filter(past -> !(spec.prior() && past == event))
                .filter(past -> past.type().equals(spec.eventType()))
                .filter(spec.where().holds())
                .sorted(Comparator.comparingLong(NaiveEvent::timeUs).thenComparingLong(NaiveEvent::position))
                .toList();
    }

    /** The events that the value is made of: of a single value's aggregate that one, else all that have a value. */
    static List<NaiveEvent> contributors(WindowSpec spec, List<NaiveEvent> history, NaiveEvent event) {
        List<NaiveEvent> window = window(spec, history, event, event.position());
        if (spec.field() != null && !spec.aggregate().equals("rate")) {
            window = window.stream()
                    .filter(past -> past.value(spec.field(), Objects.requireNonNull(spec.fieldType())) != null)
                    .toList();
        }
        int size = window.size();
        return switch (spec.aggregate()) {
            case "first" -> window.subList(0, Math.min(1, size));
            case "last", "elapsed_since", "since_newest" -> window.subList(Math.max(0, size - 1), size);
            case "nth_last" -> size < spec.nth() ? List.of() : window.subList(size - spec.nth(), size - spec.nth() + 1);
            case "geo_speed" -> {
                List<NaiveEvent> places =
                        window.stream().filter(NaiveWindows::hasPlace).toList();
                yield speed(spec, window, event) == null ? List.of() : places.subList(places.size() - 1, places.size());
            }
            default -> window;
        };
    }

    static @Nullable Object value(WindowSpec spec, List<NaiveEvent> history, NaiveEvent event) {
        return value(spec, history, event, event.position());
    }

    /** @param known position of the last record that counts */
    static @Nullable Object value(WindowSpec spec, List<NaiveEvent> history, NaiveEvent event, long known) {
        List<NaiveEvent> window = window(spec, history, event, known);
        return switch (spec.aggregate()) {
            case "count" -> (long) window.size();
            case "rate" ->
                window.isEmpty()
                        ? 0.0
                        : (double) window.stream()
                                        .filter(past -> isTrue(spec, past))
                                        .count()
                                / window.size();
            case "elapsed_since" ->
                window.isEmpty() ? null : (event.timeUs() - last(window).timeUs()) / 1e6;
            case "since_newest" ->
                window.isEmpty()
                        ? null
                        : Math.max(0, event.timeUs() - last(window).timeUs()) / 1e6;
            case "geo_speed" -> speed(spec, window, event);
            default -> ofField(spec, window);
        };
    }

    private static boolean isTrue(WindowSpec spec, NaiveEvent past) {
        return spec.label() != null
                ? past.labels().contains(spec.label())
                : Boolean.TRUE.equals(past.value(Objects.requireNonNull(spec.field()), FieldType.BOOL));
    }

    private static @Nullable Object ofField(WindowSpec spec, List<NaiveEvent> window) {
        FieldType type = Objects.requireNonNull(spec.fieldType());
        List<Object> values = window.stream()
                .map(past -> past.value(Objects.requireNonNull(spec.field()), type))
                .filter(Objects::nonNull)
                .toList();
        int n = values.size();
        return switch (spec.aggregate()) {
            case "distinct" -> values.stream().distinct().count();
            case "first" -> n == 0 ? null : shown(values.get(0), type);
            case "last" -> n == 0 ? null : shown(values.get(n - 1), type);
            case "nth_last" -> n < spec.nth() ? null : shown(values.get(n - spec.nth()), type);
            case "min" ->
                values.stream()
                        .min(NaiveWindows::compare)
                        .map(v -> shown(v, type))
                        .orElse(null);
            case "max" ->
                values.stream()
                        .max(NaiveWindows::compare)
                        .map(v -> shown(v, type))
                        .orElse(null);
            case "sum" -> fits(sum(values)) ? shown(sum(values).longValueExact(), type) : null;
            case "avg" ->
                n == 0
                        ? null
                        : new BigDecimal(sum(values))
                                .divide(units(type, n), FINE)
                                .doubleValue();
            case "stddev" -> n < 2 ? null : deviation(values, type);
            default -> throw new IllegalArgumentException(spec.aggregate());
        };
    }

    /** Sample variance by the deviations from the mean, as exact fractions; one root. */
    private static double deviation(List<Object> values, FieldType type) {
        BigInteger n = BigInteger.valueOf(values.size());
        BigInteger squares = BigInteger.ZERO;
        for (Object value : values) {
            squares = squares.add(n.multiply(BigInteger.valueOf((Long) value))
                    .subtract(sum(values))
                    .pow(2));
        }
        BigDecimal variance =
                new BigDecimal(squares).divide(new BigDecimal(n.pow(2).multiply(n.subtract(BigInteger.ONE))), FINE);
        return Math.sqrt(variance.doubleValue()) / (type == FieldType.MONEY ? 100.0 : 1.0);
    }

    private static BigDecimal units(FieldType type, int n) {
        return BigDecimal.valueOf(type == FieldType.MONEY ? 100L * n : n);
    }

    private static BigInteger sum(List<Object> values) {
        return values.stream().map(v -> BigInteger.valueOf((Long) v)).reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static boolean fits(BigInteger value) {
        return value.bitLength() < 64;
    }

    private static int compare(Object a, Object b) {
        return a instanceof Double x ? Double.compare(x, (Double) b) : Long.compare((Long) a, (Long) b);
    }

    private static Object shown(Object value, FieldType type) {
        return type == FieldType.MONEY ? BigDecimal.valueOf((Long) value, 2) : value;
    }

    private static NaiveEvent last(List<NaiveEvent> window) {
        return window.get(window.size() - 1);
    }

    private static @Nullable Double speed(WindowSpec spec, List<NaiveEvent> window, NaiveEvent event) {
        List<NaiveEvent> places = window.stream().filter(NaiveWindows::hasPlace).toList();
        if (places.isEmpty()
                || !event.type().equals(spec.eventType())
                || !spec.where().holds().test(event)
                || !hasPlace(event)) {
            return null;
        }
        NaiveEvent from = last(places);
        double seconds = Math.max(1.0, (event.timeUs() - from.timeUs()) / 1e6);
        return kilometres(degrees(from, "lat"), degrees(from, "lon"), degrees(event, "lat"), degrees(event, "lon"))
                / seconds
                * 3_600;
    }

    private static boolean hasPlace(NaiveEvent event) {
        Double lat = degrees(event, "lat");
        Double lon = degrees(event, "lon");
        return lat != null && lon != null && (lat != 0.0 || lon != 0.0);
    }

    private static @Nullable Double degrees(NaiveEvent event, String field) {
        return (Double) event.value(field, FieldType.DOUBLE);
    }

    /** By the angle between the two unit vectors, which is another formula than Vigil's. */
    static double kilometres(double lat1, double lon1, double lat2, double lon2) {
        double[] a = unit(lat1, lon1);
        double[] b = unit(lat2, lon2);
        double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        double x = a[1] * b[2] - a[2] * b[1];
        double y = a[2] * b[0] - a[0] * b[2];
        double z = a[0] * b[1] - a[1] * b[0];
        return 6371.0088 * Math.atan2(Math.sqrt(x * x + y * y + z * z), dot);
    }

    private static double[] unit(double lat, double lon) {
        double phi = Math.toRadians(lat);
        double lambda = Math.toRadians(lon);
        return new double[] {Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)};
    }
}
