package dev.vigil.scoring;

import dev.vigil.event.Explanation;
import dev.vigil.event.Explanation.Contributor;
import dev.vigil.event.Explanation.Doubt;
import dev.vigil.event.Explanation.Feature;
import dev.vigil.event.Explanation.Later;
import dev.vigil.event.Explanation.Rule;
import dev.vigil.event.Explanation.Window;
import dev.vigil.event.MinorUnits;
import dev.vigil.event.SourcePosition;
import dev.vigil.scoring.ScoringPlan.Slot;
import dev.vigil.scoring.expression.Expression;
import dev.vigil.scoring.expression.Scope;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.PolicyReader;
import dev.vigil.scoring.state.AccountView;
import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.state.LayoutRegistry;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.window.FeatureWindow;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An event that was scored, with all that its explanation needs; nothing of it changes any more. {@link #explain} scores it
 * once more, by the policy that did and over the events before it in the log, so that values are those of the scored
 * record also where events came later that are earlier in time. Any thread, one at a time.
 */
public final class ScoredBefore {
    /** Of a window with more events than twice this, the first and the last ones are listed. */
    static final int LISTED = 20;

    private static final String COMPLETENESS_UNKNOWN =
            "the policy was replaced under an earlier Vigil, which did not keep since when its features were complete";

    private final AccountView view;
    private final SourcePosition position;
    private final String policyText;
    private final long horizonUs;
    private final @Nullable Map<String, Long> completeSinceUs;

    /**
     * @param horizonUs events at or before it may have left the state
     * @param completeSinceUs by feature; null where that is not known of the policy
     */
    ScoredBefore(
            AccountView view,
            SourcePosition position,
            String policyText,
            long horizonUs,
            @Nullable Map<String, Long> completeSinceUs) {
        this.view = view;
        this.position = position;
        this.policyText = policyText;
        this.horizonUs = horizonUs;
        this.completeSinceUs = completeSinceUs;
    }

    public Explanation explain() {
        LayoutRegistry layouts = view.layouts();
        int layoutCount = layouts.size();
        ScoringPlan plan = new ScoringPlan(PolicyReader.read("policy", policyText), layouts);
        EntityState state = view.before(layouts);
        StoredEvent event = view.event(layouts);
        ScoringStep step = scored(plan, state, event);
        Later later = null;
        if (view.laterCount() > 0) {
            ScoringStep now = scored(plan, view.now(layouts), event);
            later = new Later(view.laterCount(), now.score(), now.decision());
        }
        return new Scored(plan, state, event, step, layouts.size() > layoutCount).explanation(later);
    }

    private ScoringStep scored(ScoringPlan plan, EntityState state, StoredEvent event) {
        ScoringStep step = new ScoringStep(plan, position.topicId(), position.partition());
        step.score(
                state, event, Objects.requireNonNull(plan.event(event.layout().eventType())), 0, false);
        return step;
    }

    /** The event scored again, about to be told of. */
    private final class Scored {
        private final ScoringPlan plan;
        private final MinorUnits currency;
        private final EntityState state;
        private final StoredEvent event;
        private final ScoringStep step;
        private final boolean areFieldsGone;
        private final Map<String, Set<Doubt>> doubts = new HashMap<>();
        private final Map<Integer, Expression> expressions = new HashMap<>();

        Scored(ScoringPlan plan, EntityState state, StoredEvent event, ScoringStep step, boolean areFieldsGone) {
            this.plan = plan;
            this.currency = plan.policy().currency();
            this.state = state;
            this.event = event;
            this.step = step;
            this.areFieldsGone = areFieldsGone;
            plan.windows().forEach((name, window) -> doubts.put(name, doubts(window)));
            Map<Integer, String> names = new HashMap<>();
            plan.features().forEach(feature -> names.put(feature.slot(), feature.name()));
            plan.computed().forEach(computed -> {
                expressions.put(computed.slot(), computed.expression());
                doubts.put(Objects.requireNonNull(names.get(computed.slot())), doubts(computed.expression()));
            });
        }

        Explanation explanation(@Nullable Later later) {
            Policy policy = plan.policy();
            List<Feature> features = plan.features().stream().map(this::feature).toList();
            List<Rule> rules = plan.rules().stream().map(this::rule).toList();
            boolean exact =
                    features.stream().allMatch(feature -> feature.doubts().isEmpty())
                            && rules.stream().allMatch(rule -> rule.doubts().isEmpty());
            return new Explanation(
                    event.id(),
                    event.source(),
                    event.layout().eventType(),
                    view.account(),
                    event.timeUs(),
                    position,
                    policy.name(),
                    policy.version(),
                    currency.currency(),
                    exact,
                    step.score(),
                    step.decision(),
                    later,
                    completeSinceUs == null ? COMPLETENESS_UNKNOWN : null,
                    fields(),
                    features,
                    rules);
        }

        private Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (int field : step.eventPlan().fields()) {
                String name = event.layout().field(field).name();
                Object value = step.field(name);
                if (value != null) {
                    fields.put(name, value);
                }
            }
            return fields;
        }

        private Feature feature(Slot slot) {
            FeatureWindow window = plan.windows().get(slot.name());
            return new Feature(
                    slot.name(),
                    slot.type(),
                    step.frame().value(slot.slot(), slot.type(), currency),
                    completeSinceUs == null ? null : completeSinceUs.get(slot.name()),
                    window == null ? null : shown(window),
                    window == null ? reads(Objects.requireNonNull(expressions.get(slot.slot()))) : null,
                    List.copyOf(doubts(slot.name())));
        }

        private Window shown(FeatureWindow window) {
            List<StoredEvent> contributors = window.contributors(state.timeline(), event);
            int count = contributors.size();
            List<Contributor> listed = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                if (i < LISTED || i >= count - LISTED) {
                    StoredEvent from = contributors.get(i);
                    listed.add(new Contributor(
                            from.source(), from.id(), from.timeUs(), from.offset(), window.value(from, currency)));
                }
            }
            return new Window(
                    window.eventType(), window.startUs(event.timeUs()), window.endUs(event.timeUs()), count, listed);
        }

        private Map<String, Object> reads(Expression expression) {
            Map<String, Object> values = new LinkedHashMap<>();
            for (Scope.Variable read : expression.reads()) {
                Object value = step.frame().value(read.slot(), read.type(), currency);
                if (value != null) {
                    values.put(read.name(), value);
                }
            }
            return values;
        }

        private Rule rule(ScoringPlan.Rule rule) {
            return new Rule(
                    rule.id(),
                    step.hits().contains(rule),
                    rule.shadow(),
                    rule.score(),
                    rule.reason(),
                    reads(rule.when()),
                    List.copyOf(doubts(rule.when())));
        }

        private Set<Doubt> doubts(String feature) {
            return doubts.getOrDefault(feature, EnumSet.noneOf(Doubt.class));
        }

        private Set<Doubt> doubts(FeatureWindow window) {
            Set<Doubt> found = EnumSet.noneOf(Doubt.class);
            if (!view.isWhole() && window.startUs(event.timeUs()) < horizonUs) {
                found.add(Doubt.FORGOTTEN);
            }
            if (window.readsLabels()
                    && !window.contributors(state.timeline(), event).isEmpty()) {
                found.add(Doubt.LABELS);
            }
            if (areFieldsGone) {
                found.add(Doubt.FIELDS);
            }
            return found;
        }

        private Set<Doubt> doubts(Expression expression) {
            Set<Doubt> found = EnumSet.noneOf(Doubt.class);
            for (Scope.Variable read : expression.reads()) {
                found.addAll(doubts(read.name()));
                if (isOfChangedRow(read.name())) {
                    found.add(Doubt.REFERENCE);
                }
            }
            if (areFieldsGone) {
                found.add(Doubt.FIELDS);
            }
            return found;
        }

        /** A row that is not there may have been removed since. */
        private boolean isOfChangedRow(String variable) {
            int point = variable.indexOf('.');
            StoredEvent row = point < 0 ? null : state.reference(variable.substring(0, point));
            return point >= 0 && (row == null || row.offset() > position.offset());
        }
    }
}
