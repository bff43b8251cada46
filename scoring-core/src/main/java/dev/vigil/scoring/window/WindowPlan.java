package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.event.MinorUnits;
import dev.vigil.scoring.policy.FeatureDeclaration.Windowed;
import dev.vigil.scoring.state.EventLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sorts a policy's windowed features into groups that share their visit of the events. */
public final class WindowPlan {
    private record Key(String eventType, WindowBounds bounds, String where) {}

    private record SumKey(Key key, int field) {}

    private record PlannedLookBack(Windowed feature, WindowBounds bounds, EventFilter filter, int field, int slot) {}

    private final MinorUnits currency;
    private final Function<Windowed, EventFilter> filters;
    private final Map<Key, EventFilter> groupFilters = new LinkedHashMap<>();
    private final Map<Key, List<Supplier<Accumulator>>> members = new LinkedHashMap<>();
    private final Map<SumKey, SumAccumulator.Of> sums = new HashMap<>();
    private final List<PlannedLookBack> lookBacks = new ArrayList<>();
    private final Map<String, FeatureWindow> features = new LinkedHashMap<>();

    /** @param filters the filter for a feature's event type and condition */
    public WindowPlan(MinorUnits currency, Function<Windowed, EventFilter> filters) {
        this.currency = currency;
        this.filters = filters;
    }

    /** Type of the feature's value, by aggregate and field. */
    public static FieldType type(Windowed feature) {
        return switch (feature.aggregate()) {
            case COUNT, DISTINCT -> FieldType.LONG;
            case AVG, STDDEV, RATE, ELAPSED_SINCE, SINCE_NEWEST, GEO_SPEED -> FieldType.DOUBLE;
            case SUM, MIN, MAX, FIRST, LAST, NTH_LAST ->
                Objects.requireNonNull(feature.field()).type();
        };
    }

    /** Plans a feature whose value goes to the slot. */
    public void add(Windowed feature, int slot) {
        WindowBounds bounds = new WindowBounds(feature.overUs(), feature.delayUs(), feature.prior());
        String where = feature.where() == null ? "" : feature.where().text();
        Key key = new Key(feature.eventType(), bounds, where);
        EventFilter filter = groupFilters.computeIfAbsent(key, k -> filters.apply(feature));
        EventLayout layout = filter.layout();
        int field = feature.field() == null ? -1 : layout.indexOf(feature.field());
        features.put(feature.name(), new FeatureWindow(feature, bounds, filter, field));
        if (looksBack(feature)) {
            lookBacks.add(new PlannedLookBack(feature, bounds, filter, field, slot));
        } else {
            addMember(key, feature, layout, field, slot);
        }
    }

    /** Whether it needs but the latest event, or one that depends on the event to be scored. */
    private static boolean looksBack(Windowed feature) {
        return switch (feature.aggregate()) {
            case ELAPSED_SINCE, SINCE_NEWEST, GEO_SPEED -> true;
            case LAST -> feature.delayUs() == 0;
            default -> false;
        };
    }

    private void addMember(Key key, Windowed feature, EventLayout layout, int field, int target) {
        List<Supplier<Accumulator>> group = members.computeIfAbsent(key, k -> new ArrayList<>());
        switch (feature.aggregate()) {
            case SUM -> sum(key, group, layout, field).sumTo(target);
            case AVG -> sum(key, group, layout, field).meanTo(target);
            case STDDEV -> sum(key, group, layout, field).deviationTo(target);
            default -> group.add(accumulator(feature, layout, field, target));
        }
    }

    /** Sum, mean and deviation of a field come from the same sum. */
    private SumAccumulator.Of sum(Key key, List<Supplier<Accumulator>> group, EventLayout layout, int field) {
        return sums.computeIfAbsent(new SumKey(key, field), k -> {
            double units = layout.type(field) == FieldType.MONEY ? currency.powerOfTen() : 1.0;
            SumAccumulator.Of of = new SumAccumulator.Of(layout.slot(field), units);
            group.add(() -> new SumAccumulator(of));
            return of;
        });
    }

    private Supplier<Accumulator> accumulator(Windowed feature, EventLayout layout, int field, int target) {
        if (field < 0) {
            String label = feature.label();
            return label == null ? () -> new CountAccumulator(target) : () -> RateAccumulator.ofLabel(label, target);
        }
        int slot = layout.slot(field);
        FieldType type = layout.type(field);
        return switch (feature.aggregate()) {
            case MIN -> () -> new ExtremeAccumulator(slot, type, false, target);
            case MAX -> () -> new ExtremeAccumulator(slot, type, true, target);
            case DISTINCT -> () -> new DistinctAccumulator(slot, type, target);
            case RATE -> () -> RateAccumulator.ofField(slot, target);
            case FIRST -> () -> SelectAccumulator.first(slot, type, target);
            case LAST -> () -> SelectAccumulator.nthLast(slot, type, 1, target);
            case NTH_LAST -> () -> SelectAccumulator.nthLast(slot, type, feature.nth(), target);
            default -> throw new IllegalStateException("no accumulator for " + feature.aggregate());
        };
    }

    public List<WindowGroup> groups() {
        List<WindowGroup> groups = new ArrayList<>();
        members.forEach((key, kinds) -> groups.add(new WindowGroup(
                account(groups.size()), key.bounds(), Objects.requireNonNull(groupFilters.get(key)), kinds)));
        return groups;
    }

    /** Each feature's own window, by the feature's name. */
    public Map<String, FeatureWindow> features() {
        return features;
    }

    public List<LookBack> lookBacks() {
        List<LookBack> made = new ArrayList<>();
        for (PlannedLookBack planned : lookBacks) {
            made.add(new LookBack(
                    planned.feature().aggregate(),
                    account(members.size() + made.size()),
                    planned.bounds(),
                    planned.filter(),
                    planned.field(),
                    planned.slot()));
        }
        return made;
    }

    private AccountSlot account(int index) {
        return new AccountSlot(index, members.size() + lookBacks.size());
    }
}
