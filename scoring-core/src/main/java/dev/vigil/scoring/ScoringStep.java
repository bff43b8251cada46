package dev.vigil.scoring;

import dev.vigil.event.Decision;
import dev.vigil.event.FieldType;
import dev.vigil.scoring.ScoringPlan.EventPlan;
import dev.vigil.scoring.ScoringPlan.Rule;
import dev.vigil.scoring.ScoringPlan.Slot;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.state.EventLayout;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.window.LookBack;
import dev.vigil.scoring.window.WindowGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Scores one event after the other under one plan: windows, computed features, rules, decision. One thread. */
final class ScoringStep implements ScoredView {
    private final ScoringPlan plan;
    private final RecordEncoder encoder;
    private final Frame frame;
    private final List<Rule> hits = new ArrayList<>();
    private final List<Feature> features;
    private String account = "";
    private long offset;
    private long revision;
    private long ingestTimeMs;
    private boolean backfill;
    private int score;
    private Decision decision = Decision.APPROVE;
    private @Nullable StoredEvent event;
    private @Nullable EventPlan eventPlan;

    ScoringStep(ScoringPlan plan, String topicId, int partition) {
        this.plan = plan;
        this.encoder = new RecordEncoder(plan, topicId, partition);
        this.frame = new Frame(plan.frameSize());
        this.features = plan.features().stream()
                .map(slot -> new Feature(slot.name(), slot.type()))
                .toList();
    }

    /** Enters the event into the account's timeline and scores it as of its own time. */
    void score(EntityState state, StoredEvent scored, EventPlan scoredPlan, long ingestMs, boolean isBackfill) {
        account = state.entity();
        event = scored;
        eventPlan = scoredPlan;
        offset = scored.offset();
        revision = 0;
        ingestTimeMs = ingestMs;
        backfill = isBackfill;
        load(state, scored, scoredPlan);
        windows(state, scored, true);
        if (!state.timeline().wouldAppend(scored.timeUs())) {
            makeWay(state, scored);
        }
        for (LookBack lookBack : plan.lookBacks()) {
            lookBack.enters(state, scored);
        }
        state.timeline().insert(scored);
        windows(state, scored, false);
        judge();
    }

    /**
     * Scores an event of the timeline again, as of its own time, over all that is known now.
     *
     * @param cause the late event behind it
     */
    void scoreAgain(EntityState state, StoredEvent scored, EventPlan scoredPlan, StoredEvent cause, long ingestMs) {
        account = state.entity();
        event = scored;
        eventPlan = scoredPlan;
        offset = cause.offset();
        revision = cause.offset() - scored.offset();
        ingestTimeMs = ingestMs;
        backfill = false;
        load(state, scored, scoredPlan);
        for (WindowGroup group : plan.groups()) {
            group.evaluateAgain(state, scored, frame);
        }
        for (LookBack lookBack : plan.lookBacks()) {
            lookBack.evaluate(state, scored, frame);
        }
        judge();
    }

    private void load(EntityState state, StoredEvent scored, EventPlan scoredPlan) {
        frame.clear();
        frame.setNumber(ScoringPlan.EVENT_TIME_SLOT, scored.timeUs());
        frame.setText(ScoringPlan.EVENT_TYPE_SLOT, scored.layout().eventType());
        load(scored, scoredPlan);
        plan.references().forEach((name, reference) -> {
            StoredEvent row = state.reference(name);
            if (row != null) {
                load(row, reference);
            }
        });
        for (ScoringPlan.ListPlan list : plan.lists()) {
            if (list.fieldSlot() < 0) {
                frame.setNumber(list.slot(), list.list().values().contains(account) ? 1 : 0);
            } else if (frame.isPresent(list.fieldSlot())) {
                frame.setNumber(list.slot(), list.list().values().contains(frame.text(list.fieldSlot())) ? 1 : 0);
            }
        }
    }

    private void load(StoredEvent from, EventPlan fromPlan) {
        EventLayout layout = fromPlan.layout();
        int[] fields = fromPlan.fields();
        int[] slots = fromPlan.slots();
        for (int i = 0; i < fields.length; i++) {
            int slot = layout.slot(fields[i]);
            if (layout.type(fields[i]) == FieldType.STRING) {
                String text = from.text(slot);
                if (text != null) {
                    frame.setText(slots[i], text);
                }
            } else if (from.hasNumber(slot)) {
                frame.setNumber(slots[i], from.number(slot));
            }
        }
    }

    private void makeWay(EntityState state, StoredEvent scored) {
        for (WindowGroup group : plan.groups()) {
            if (!group.isPrior()) {
                group.makeWay(state, scored.timeUs());
            }
        }
    }

    private void windows(EntityState state, StoredEvent scored, boolean prior) {
        for (WindowGroup group : plan.groups()) {
            if (group.isPrior() == prior) {
                group.evaluate(state, scored.timeUs(), frame);
            }
        }
        for (LookBack lookBack : plan.lookBacks()) {
            if (lookBack.isPrior() == prior) {
                lookBack.evaluate(state, scored, frame);
            }
        }
    }

    private void judge() {
        for (ScoringPlan.ComputedFeature computed : plan.computed()) {
            computed.expression().evaluateInto(frame, computed.slot());
        }
        hits.clear();
        score = 0;
        for (Rule rule : plan.rules()) {
            if (rule.when().holds(frame)) {
                hits.add(rule);
                score += rule.shadow() ? 0 : rule.score();
            }
        }
        decision = plan.policy().decide(score);
    }

    boolean alerts() {
        return !backfill && plan.policy().alerts().on().contains(decision);
    }

    byte[] encodeAlert() {
        String groupBy = plan.policy().alerts().groupBy();
        int slot = groupBy.equals("account") ? -1 : plan.fieldSlot(groupBy);
        return encoder.alert(this, slot >= 0 && frame.isPresent(slot) ? frame.text(slot) : account);
    }

    byte[] encodeSchema(long atOffset, @Nullable Map<String, Long> completeSinceUs) {
        return encoder.schema(atOffset, completeSinceUs);
    }

    @Override
    public byte[] encode() {
        return encoder.scored(this);
    }

    StoredEvent event() {
        return java.util.Objects.requireNonNull(event);
    }

    EventPlan eventPlan() {
        return java.util.Objects.requireNonNull(eventPlan);
    }

    Frame frame() {
        return frame;
    }

    List<Rule> hits() {
        return hits;
    }

    @Override
    public boolean isBackfill() {
        return backfill;
    }

    @Override
    public String eventId() {
        return event().id();
    }

    @Override
    public String source() {
        return event().source();
    }

    @Override
    public String account() {
        return account;
    }

    @Override
    public long eventTimeUs() {
        return event().timeUs();
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public long revision() {
        return revision;
    }

    @Override
    public long ingestTimeMs() {
        return ingestTimeMs;
    }

    @Override
    public int score() {
        return score;
    }

    @Override
    public Decision decision() {
        return decision;
    }

    @Override
    public List<Feature> features() {
        return features;
    }

    @Override
    public @Nullable Object feature(int index) {
        Slot slot = plan.features().get(index);
        return frame.value(slot.slot(), slot.type(), plan.policy().currency());
    }

    @Override
    public boolean hit(int rule) {
        return hits.contains(plan.rules().get(rule));
    }

    @Override
    public @Nullable Object field(String name) {
        EventPlan current = eventPlan();
        for (int i = 0; i < current.fields().length; i++) {
            EventLayout.Field field = current.layout().field(current.fields()[i]);
            if (field.name().equals(name)) {
                return frame.value(
                        current.slots()[i], field.type(), plan.policy().currency());
            }
        }
        return null;
    }
}
