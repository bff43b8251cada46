package dev.vigil.scoring;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.state.TaskState.End;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What must become of each record of a partition, said as plainly as possible. Keeps everything for ever. */
final class NaivePartition {
    static final long OUT_OF_ORDERNESS_US = 10 * TestPolicies.SECOND;
    static final long LATENESS_US = 10 * TestPolicies.MINUTE;
    static final long SKEW_US = 5 * TestPolicies.MINUTE;
    static final long LONGEST_US = 2 * TestPolicies.HOUR;

    /**
     * @param comparable false for backfill from before the time that is remembered, whose windows have gaps
     * @param contributors offsets of the events that each windowed feature is made of
     */
    record Expected(
            End end,
            Map<String, Object> features,
            boolean comparable,
            List<Correction> corrections,
            Map<String, List<Long>> contributors) {
        Expected(End end, Map<String, Object> features, boolean comparable) {
            this(end, features, comparable, List.of(), Map.of());
        }
    }

    /** @param position of the event that is corrected */
    record Correction(long position, String eventId, Map<String, Object> features) {}

    /** How much older than late an event may be to be entered; negative: late ones are dropped. */
    long correctWithinUs = -1;

    private final Map<String, List<NaiveEvent>> histories = new HashMap<>();
    private Map<String, Map<String, FieldType>> declared = Map.of();
    private List<WindowSpec> specs = List.of();
    private long watermarkUs = Long.MIN_VALUE;

    void activate(Map<String, Map<String, FieldType>> newDeclared, List<WindowSpec> newSpecs) {
        declared = newDeclared;
        specs = newSpecs;
    }

    void label(String account, String eventId, String label, boolean value) {
        for (NaiveEvent event : histories.getOrDefault(account, List.of())) {
            if (event.id().equals(eventId) && isRemembered(event)) {
                if (value) {
                    event.labels().add(label);
                } else {
                    event.labels().remove(label);
                }
            }
        }
    }

    private boolean isRemembered(NaiveEvent event) {
        return watermarkUs == Long.MIN_VALUE
                || event.timeUs() > watermarkUs - LATENESS_US - Math.max(0, correctWithinUs) - LONGEST_US;
    }

    /** @param fields JSON literals by name @param wantFeatures false saves the time for them */
    Expected event(
            NaiveEvent event,
            String account,
            long ingestTimeMs,
            boolean backfill,
            Map<String, String> fields,
            boolean wantFeatures) {
        Map<String, FieldType> types = declared.get(event.type());
        if (types == null || event.timeUs() > ingestTimeMs * 1_000 + SKEW_US) {
            return new Expected(End.DEAD_LETTERED, Map.of(), false);
        }
        List<NaiveEvent> history = histories.computeIfAbsent(account, a -> new ArrayList<>());
        if (history.stream().anyMatch(past -> past.id().equals(event.id()) && isRemembered(past))) {
            return new Expected(End.DUPLICATE, Map.of(), false);
        }
        boolean late = watermarkUs != Long.MIN_VALUE && event.timeUs() < watermarkUs - LATENESS_US;
        boolean tooLate = late && (correctWithinUs < 0 || event.timeUs() < watermarkUs - LATENESS_US - correctWithinUs);
        if (tooLate && !backfill) {
            return new Expected(End.LATE, Map.of(), false);
        }
        watermarkUs = Math.max(watermarkUs, event.timeUs() - OUT_OF_ORDERNESS_US);
        types.forEach((name, type) -> {
            String literal = fields.get(name);
            if (literal != null && !literal.equals("null")) {
                event.values().put(NaiveEvent.key(name, type), parse(literal, type));
            }
        });
        history.add(event);
        boolean comparable = wantFeatures && !(late && backfill);
        return new Expected(
                End.SCORED,
                comparable ? features(history, event, event) : Map.of(),
                comparable,
                late && !backfill ? corrections(history, event) : List.of(),
                comparable ? contributors(history, event) : Map.of());
    }

    private Map<String, List<Long>> contributors(List<NaiveEvent> history, NaiveEvent event) {
        Map<String, List<Long>> contributors = new LinkedHashMap<>();
        for (WindowSpec spec : specs) {
            contributors.put(
                    spec.name(),
                    NaiveWindows.contributors(spec, history, event).stream()
                            .map(NaiveEvent::position)
                            .toList());
        }
        return contributors;
    }

    private Map<String, Object> features(List<NaiveEvent> history, NaiveEvent event, NaiveEvent latest) {
        Map<String, Object> features = new LinkedHashMap<>();
        for (WindowSpec spec : specs) {
            features.put(spec.name(), NaiveWindows.value(spec, history, event, latest.position()));
        }
        features.values().removeIf(Objects::isNull);
        return features;
    }

    /** What each event's score is now, where it is another one than it would be had the late event never come. */
    private List<Correction> corrections(List<NaiveEvent> history, NaiveEvent late) {
        List<NaiveEvent> without = history.stream().filter(past -> past != late).toList();
        return without.stream()
                .filter(past -> isRemembered(past) && declared.containsKey(past.type()))
                .sorted(Comparator.comparingLong(NaiveEvent::timeUs).thenComparingLong(NaiveEvent::position))
                .filter(past -> !features(without, past, late).equals(features(history, past, late)))
                .map(past -> new Correction(past.position(), past.id(), features(history, past, late)))
                .toList();
    }

    private static Object parse(String literal, FieldType type) {
        String text = literal.startsWith("\"") ? literal.substring(1, literal.length() - 1) : literal;
        return switch (type) {
            case STRING -> text;
            case BOOL -> Boolean.valueOf(text);
            case LONG, TIMESTAMP -> Long.valueOf(text);
            case DOUBLE -> Double.parseDouble(text) + 0.0;
            case MONEY -> new BigDecimal(text).movePointRight(2).longValueExact();
        };
    }

    /** Whether a decoded feature is bit for bit the expected one; speeds, by another formula here, to 9 digits. */
    static boolean same(@Nullable Object expected, @Nullable Object decoded, boolean isSpeed) {
        if (expected == null || decoded == null) {
            return expected == decoded;
        }
        if (expected instanceof Double real) {
            double actual = ((Number) decoded).doubleValue();
            return isSpeed
                    ? Math.abs(actual - real) <= 1e-9 * Math.max(1, Math.abs(real))
                    : Double.doubleToLongBits(real) == Double.doubleToLongBits(actual);
        }
        return expected instanceof Long whole
                ? decoded instanceof Number number && number.longValue() == whole
                : expected.equals(decoded);
    }
}
