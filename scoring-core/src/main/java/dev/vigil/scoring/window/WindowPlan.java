package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.event.MinorUnits;
import dev.vigil.scoring.policy.FeatureDeclaration.Windowed;
import dev.vigil.scoring.state.EventLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sorts a policy's windowed features into groups that share their visit of the events. */
public final class WindowPlan {
    private record Key(String eventType, WindowBounds bounds, String where) {}

    private record Member(Supplier<Accumulator> kind, int slot) {}

    private record PlannedLookBack(Windowed feature, WindowBounds bounds, EventFilter filter, int field, int slot) {}

    private final MinorUnits currency;
    private final Function<Windowed, EventFilter> filters;
    private final Map<Key, EventFilter> groupFilters = new LinkedHashMap<>();
    private final Map<Key, List<Member>> members = new LinkedHashMap<>();
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
            members.computeIfAbsent(key, k -> new ArrayList<>())
                    .add(new Member(accumulator(feature, layout, field), slot));
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

    private Supplier<Accumulator> accumulator(Windowed feature, EventLayout layout, int field) {
        if (field < 0) {
            String label = feature.label();
            return label == null ? CountAccumulator::new : () -> RateAccumulator.ofLabel(label);
        }
        int slot = layout.slot(field);
        FieldType type = layout.type(field);
        double units = type == FieldType.MONEY ? currency.powerOfTen() : 1.0;
        return switch (feature.aggregate()) {
            case SUM -> () -> new SumAccumulator(slot, SumAccumulator.Result.SUM, units);
            case AVG -> () -> new SumAccumulator(slot, SumAccumulator.Result.MEAN, units);
            case STDDEV -> () -> new SumAccumulator(slot, SumAccumulator.Result.DEVIATION, units);
            case MIN -> () -> new ExtremeAccumulator(slot, type, false);
            case MAX -> () -> new ExtremeAccumulator(slot, type, true);
            case DISTINCT -> () -> new DistinctAccumulator(slot, type);
            case RATE -> () -> RateAccumulator.ofField(slot);
            case FIRST -> () -> SelectAccumulator.first(slot, type);
            case LAST -> () -> SelectAccumulator.nthLast(slot, type, 1);
            case NTH_LAST -> () -> SelectAccumulator.nthLast(slot, type, feature.nth());
            default -> throw new IllegalStateException("no accumulator for " + feature.aggregate());
        };
    }

    public List<WindowGroup> groups() {
        List<WindowGroup> groups = new ArrayList<>();
        members.forEach((key, list) -> {
            WindowGroup group = new WindowGroup(
                    account(groups.size()), key.bounds(), Objects.requireNonNull(groupFilters.get(key)));
            list.forEach(member -> group.add(member.kind(), member.slot()));
            groups.add(group);
        });
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
