package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.event.MinorUnits;
import dev.vigil.scoring.policy.Aggregate;
import dev.vigil.scoring.policy.FeatureDeclaration.Windowed;
import dev.vigil.scoring.state.Block;
import dev.vigil.scoring.state.EventLayout;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.state.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The window of one feature as something to look at: what it reads, and which events make up its value. Not on the way of
 * scoring. One thread, that of its plan.
 */
public final class FeatureWindow {
    private final Windowed feature;
    private final WindowBounds bounds;
    private final EventFilter filter;
    private final int field;
    private final @Nullable GeoSpeed places;

    /** @param field index of the field in the filter's layout; -1 where the aggregate looks at events */
    FeatureWindow(Windowed feature, WindowBounds bounds, EventFilter filter, int field) {
        this.feature = feature;
        this.bounds = bounds;
        this.filter = filter;
        this.field = field;
        this.places = feature.aggregate() == Aggregate.GEO_SPEED ? new GeoSpeed(filter.layout()) : null;
    }

    public String eventType() {
        return feature.eventType();
    }

    /** How far before an event the window begins, µs. */
    public long lookBackUs() {
        return bounds.overUs() + bounds.delayUs();
    }

    /** Where the window of an event at that time begins, itself not part of it. */
    public long startUs(long timeUs) {
        return bounds.startUs(timeUs);
    }

    /** Where it ends, itself part of it. */
    public long endUs(long timeUs) {
        return bounds.endUs(timeUs);
    }

    public boolean readsLabels() {
        return feature.label() != null;
    }

    /** The fields of the window's events that the value depends on. */
    public Set<EventLayout.Field> fields() {
        Set<EventLayout.Field> fields = new LinkedHashSet<>(filter.fields());
        if (field >= 0) {
            fields.add(filter.layout().field(field));
        }
        if (places != null) {
            fields.addAll(GeoSpeed.FIELDS);
        }
        return fields;
    }

    /**
     * The events that the value for an event is made of, in time order, ties in log order: of {@code first}, {@code last},
     * {@code nth_last}, {@code elapsed_since}, {@code since_newest} and {@code geo_speed} the one that it is taken from, of
     * the others all that have a value, in {@code rate} all. {@code since_newest} looks beyond the window's end, too.
     *
     * @param timeline with the event, and with none that the event cannot see
     */
    public List<StoredEvent> contributors(Timeline timeline, StoredEvent event) {
        long start = startUs(event.timeUs());
        long end = feature.aggregate() == Aggregate.SINCE_NEWEST ? Long.MAX_VALUE : endUs(event.timeUs());
        List<StoredEvent> window = new ArrayList<>();
        for (Block block = WindowGroup.firstBlockAfter(timeline, start); block != null; block = block.next()) {
            for (int i = 0; i < block.count(); i++) {
                StoredEvent candidate = block.event(i);
                boolean isIn = candidate.timeUs() > start
                        && candidate.timeUs() <= end
                        && !(bounds.prior() && candidate.offset() == event.offset());
                if (isIn && takes(candidate)) {
                    window.add(candidate);
                }
            }
        }
        return switch (feature.aggregate()) {
            case FIRST -> window.subList(0, Math.min(1, window.size()));
            case LAST, ELAPSED_SINCE, SINCE_NEWEST -> fromEnd(window, 1);
            case NTH_LAST -> fromEnd(window, feature.nth());
            case GEO_SPEED -> takes(event) ? fromEnd(window, 1) : List.of();
            case COUNT, SUM, AVG, MIN, MAX, STDDEV, DISTINCT, RATE -> window;
        };
    }

    private static List<StoredEvent> fromEnd(List<StoredEvent> window, int nth) {
        int index = window.size() - nth;
        return index < 0 ? List.of() : window.subList(index, index + 1);
    }

    private boolean takes(StoredEvent event) {
        if (!filter.accepts(event)) {
            return false;
        }
        if (places != null) {
            return places.hasPlace(event);
        }
        return field < 0 || feature.aggregate() == Aggregate.RATE || valueOf(event, field, null) != null;
    }

    /**
     * What a contributing event gave: the value of the field, whether the label is known, the place as {@code lat,lon};
     * null where the aggregate looks at the event alone.
     */
    public @Nullable Object value(StoredEvent event, MinorUnits currency) {
        String label = feature.label();
        if (label != null) {
            return event.isLabelled(label);
        }
        if (places != null) {
            return places.text(event);
        }
        return field < 0 ? null : valueOf(event, field, currency);
    }

    private @Nullable Object valueOf(StoredEvent event, int of, @Nullable MinorUnits currency) {
        FieldType type = filter.layout().type(of);
        int slot = filter.layout().slot(of);
        if (type == FieldType.STRING) {
            return event.text(slot);
        }
        if (!event.hasNumber(slot)) {
            return null;
        }
        return switch (type) {
            case BOOL -> event.number(slot) != 0;
            case DOUBLE -> event.doubleValue(slot);
            case MONEY -> currency == null ? (Object) event.number(slot) : currency.toDecimal(event.number(slot));
            case LONG, TIMESTAMP, STRING -> event.number(slot);
        };
    }
}
