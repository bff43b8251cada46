package dev.vigil.scoring;

import dev.vigil.config.ConfigException;
import dev.vigil.config.ConfigNode;
import dev.vigil.event.EventTypes;
import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Expression;
import dev.vigil.scoring.expression.ExpressionCompiler;
import dev.vigil.scoring.expression.Scope;
import dev.vigil.scoring.policy.EventDeclaration;
import dev.vigil.scoring.policy.FeatureDeclaration;
import dev.vigil.scoring.policy.FeatureDeclaration.Computed;
import dev.vigil.scoring.policy.FeatureDeclaration.Windowed;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.PolicyReader;
import dev.vigil.scoring.policy.ReferenceDeclaration;
import dev.vigil.scoring.policy.RuleDeclaration;
import dev.vigil.scoring.policy.ValueList;
import dev.vigil.scoring.state.EventLayout;
import dev.vigil.scoring.state.EventLayout.Field;
import dev.vigil.scoring.state.KnownTexts;
import dev.vigil.scoring.state.LayoutRegistry;
import dev.vigil.scoring.window.EventFilter;
import dev.vigil.scoring.window.FeatureWindow;
import dev.vigil.scoring.window.LookBack;
import dev.vigil.scoring.window.WindowGroup;
import dev.vigil.scoring.window.WindowPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A policy made ready to run: slots, windows, compiled expressions. Belongs to one task, since it is not shared. */
final class ScoringPlan {
    /** A feature's place in the frame. */
    record Slot(String name, FieldType type, int slot) {}

    /**
     * How an event type's fields get into the frame.
     *
     * @param fields indices of the declared fields in the layout, which may have more
     * @param slots of these fields in the frame
     */
    record EventPlan(EventLayout layout, EventDecoder decoder, int[] fields, int[] slots) {}

    record Rule(String id, Expression when, int score, String reason, boolean shadow) {}

    record ComputedFeature(Expression expression, int slot) {}

    /** Of the {@code where}s of one event type, which read its fields alone. */
    private record ConditionCompiler(Scope fields, ExpressionCompiler compiler) {}

    record ListPlan(ValueList list, int fieldSlot, int slot) {}

    static final int EVENT_TIME_SLOT = 0;
    static final int EVENT_TYPE_SLOT = 1;
    private static final String ACCOUNT = "account";

    private final Policy policy;
    private final Scope scope = new Scope();
    private final ExpressionCompiler compiler;
    private final Map<String, EventPlan> events = new HashMap<>();
    private final Map<String, ConditionCompiler> conditionCompilers = new HashMap<>();
    private final Map<String, EventPlan> references = new LinkedHashMap<>();
    private final List<Slot> features = new ArrayList<>();
    private final List<ListPlan> lists = new ArrayList<>();
    private final List<ComputedFeature> computed = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();
    private final List<SummaryPlan> summaries = new ArrayList<>();
    private final long longestLookBackUs;
    private final long rememberedUs;
    private final List<WindowGroup> groups;
    private final List<LookBack> lookBacks;
    private final Map<String, FeatureWindow> windows;
    private final @Nullable PlainReader plain;

    /**
     * @param layouts of the task, where the policy's layouts become the current ones
     * @throws ConfigException for an expression that cannot be meant, at its place
     */
    ScoringPlan(Policy policy, LayoutRegistry layouts) {
        this.policy = policy;
        this.plain = policy.plain() == null ? null : new PlainReader(policy.plain());
        this.longestLookBackUs = policy.longestLookBackUs();
        this.rememberedUs = policy.rememberedUs();
        this.compiler = new ExpressionCompiler(scope, policy.currency());
        scope.declare("event_time", FieldType.TIMESTAMP);
        scope.declare("event_type", FieldType.STRING);
        policy.events().forEach(event -> planEvent(event, layouts));
        policy.references().forEach(reference -> planReference(reference, layouts));
        policy.lists().forEach(this::planList);
        WindowPlan windows = new WindowPlan(policy.currency(), this::filter);
        Map<String, Slot> slots = new HashMap<>();
        planWindows(windows, slots);
        planComputed(slots);
        for (FeatureDeclaration feature : policy.features()) {
            features.add(Objects.requireNonNull(slots.get(feature.name())));
        }
        this.groups = windows.groups();
        this.lookBacks = windows.lookBacks();
        this.windows = windows.features();
        policy.rules().forEach(this::planRule);
        policy.summaries().forEach(summary -> summaries.add(new SummaryPlan(summary, policy.currency(), this::filter)));
    }

    /**
     * Checks a policy without running it.
     *
     * @throws ConfigException as the constructor and {@link PolicyReader#read}
     */
    static Policy check(String fileName, String text) {
        Policy policy = PolicyReader.read(fileName, text);
        new ScoringPlan(policy, new LayoutRegistry());
        return policy;
    }

    private void planEvent(EventDeclaration event, LayoutRegistry layouts) {
        int[] slots = event.fields().entrySet().stream()
                .mapToInt(field -> eventSlot(field.getKey(), field.getValue()))
                .toArray();
        events.put(event.type(), plan(event.type(), event.fields(), event.account(), slots, layouts));
    }

    /** A field that several types of event have stands in one slot; its type is the same in each. */
    private int eventSlot(String name, FieldType type) {
        return scope.find(name).orElseGet(() -> scope.declare(name, type)).slot();
    }

    private void planReference(ReferenceDeclaration reference, LayoutRegistry layouts) {
        int[] slots = reference.fields().entrySet().stream()
                .mapToInt(field -> scope.declare(reference.name() + "." + field.getKey(), field.getValue())
                        .slot())
                .toArray();
        String type = EventTypes.REFERENCE_PREFIX + reference.name();
        references.put(reference.name(), plan(type, reference.fields(), null, slots, layouts));
    }

    private EventPlan plan(
            String type,
            Map<String, FieldType> declared,
            @Nullable String accountKey,
            int[] slots,
            LayoutRegistry layouts) {
        List<Field> fields = declared.entrySet().stream()
                .map(field -> new Field(field.getKey(), field.getValue()))
                .toList();
        EventLayout layout = layouts.activate(new EventLayout(type, fields));
        int[] indices = fields.stream().mapToInt(layout::indexOf).toArray();
        PlainReader flat = plain != null && plain.isFlat() ? plain : null;
        EventDecoder decoder = new EventDecoder(layout, indices, accountKey, policy.currency(), flat, new KnownTexts());
        return new EventPlan(layout, decoder, indices, slots);
    }

    private void planList(ValueList list) {
        int field = list.field().equals(ACCOUNT)
                ? -1
                : scope.find(list.field()).orElseThrow().slot();
        lists.add(new ListPlan(
                list, field, scope.declare(list.name(), FieldType.BOOL).slot()));
    }

    private void planWindows(WindowPlan windows, Map<String, Slot> slots) {
        for (FeatureDeclaration feature : policy.features()) {
            if (feature instanceof Windowed windowed) {
                Slot slot = declare(feature, WindowPlan.type(windowed));
                slots.put(feature.name(), slot);
                windows.add(windowed, slot.slot());
            }
        }
    }

    private void planComputed(Map<String, Slot> slots) {
        for (FeatureDeclaration feature : policy.features()) {
            if (feature instanceof Computed declared) {
                Expression expression = compiler.compile(declared.expression());
                Slot slot = declare(feature, expression.type());
                slots.put(feature.name(), slot);
                computed.add(new ComputedFeature(expression, slot.slot()));
            }
        }
    }

    private Slot declare(FeatureDeclaration feature, FieldType type) {
        if (scope.find(feature.name()).isPresent()) {
            throw feature.place().keyError("the name '" + feature.name() + "' is taken by a field or a list");
        }
        return new Slot(
                feature.name(), type, scope.declare(feature.name(), type).slot());
    }

    private EventFilter filter(Windowed feature) {
        EventPlan event = Objects.requireNonNull(events.get(feature.eventType()));
        ConditionCompiler conditions =
                conditionCompilers.computeIfAbsent(feature.eventType(), type -> conditions(event));
        ConfigNode where = feature.where();
        Expression condition = where == null ? null : conditions.compiler().compileCondition(where);
        return new EventFilter(event.layout(), conditions.fields(), condition);
    }

    private ConditionCompiler conditions(EventPlan event) {
        Scope fields = new Scope();
        for (int field : event.fields()) {
            fields.declare(event.layout().field(field).name(), event.layout().type(field));
        }
        return new ConditionCompiler(fields, new ExpressionCompiler(fields, policy.currency()));
    }

    private void planRule(RuleDeclaration rule) {
        rules.add(new Rule(
                rule.id(), compiler.compileCondition(rule.when()), rule.score(), rule.reason(), rule.shadow()));
    }

    Policy policy() {
        return policy;
    }

    /** Reads records without CloudEvents headers; null: they are refused. */
    @Nullable
    PlainReader plain() {
        return plain;
    }

    /** As {@link Policy#rememberedUs}. */
    long rememberedUs() {
        return rememberedUs;
    }

    List<SummaryPlan> summaries() {
        return summaries;
    }

    /** As {@link Policy#longestLookBackUs}. */
    long longestLookBackUs() {
        return longestLookBackUs;
    }

    int frameSize() {
        return scope.size();
    }

    @Nullable
    EventPlan event(String type) {
        return events.get(type);
    }

    @Nullable
    EventPlan reference(String name) {
        return references.get(name);
    }

    Map<String, EventPlan> references() {
        return references;
    }

    List<Slot> features() {
        return features;
    }

    List<ListPlan> lists() {
        return lists;
    }

    List<ComputedFeature> computed() {
        return computed;
    }

    List<Rule> rules() {
        return rules;
    }

    List<WindowGroup> groups() {
        return groups;
    }

    /** The windowed features' windows, by name. */
    Map<String, FeatureWindow> windows() {
        return windows;
    }

    List<LookBack> lookBacks() {
        return lookBacks;
    }

    /** Slot of a field of any event type; -1 if there is none. */
    int fieldSlot(String name) {
        return scope.find(name).map(Scope.Variable::slot).orElse(-1);
    }
}
