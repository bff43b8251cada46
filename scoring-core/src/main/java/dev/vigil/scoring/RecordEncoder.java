package dev.vigil.scoring;

import dev.vigil.event.FieldType;
import dev.vigil.event.Json;
import dev.vigil.event.MinorUnits;
import dev.vigil.event.ScoredSchema;
import dev.vigil.event.SourcePosition;
import dev.vigil.scoring.ScoringPlan.EventPlan;
import dev.vigil.scoring.ScoringPlan.Rule;
import dev.vigil.scoring.ScoringPlan.Slot;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.expression.Scope;
import dev.vigil.scoring.policy.EventDeclaration;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.EventLayout;
import dev.vigil.scoring.state.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes scored events, alerts and schemas under one plan. Names are escaped once. One thread. */
final class RecordEncoder {
    private static final byte[] EVENT_ID = JsonSink.label("event_id");
    private static final byte[] SOURCE = JsonSink.label("source");
    private static final byte[] TYPE = JsonSink.label("type");
    private static final byte[] ACCOUNT = JsonSink.label("account");
    private static final byte[] EVENT_TIME = JsonSink.label("event_time_us");
    private static final byte[] INGEST_TIME = JsonSink.label("ingest_time_ms");
    private static final byte[] BACKFILL = JsonSink.label("backfill");
    private static final byte[] REVISION = JsonSink.label("revision");
    private static final byte[] OFFSET = JsonSink.label("offset");
    private static final byte[] SCORE = JsonSink.label("score");
    private static final byte[] DECISION = JsonSink.label("decision");
    private static final byte[] FIELDS = JsonSink.label("fields");
    private static final byte[] FEATURES = JsonSink.label("features");
    private static final byte[] RULES = JsonSink.label("rules");
    private static final byte[] SHADOW_RULES = JsonSink.label("shadow_rules");
    private static final byte[] RULE = JsonSink.label("rule");
    private static final byte[] REASON = JsonSink.label("reason");
    private static final byte[] VALUES = JsonSink.label("values");
    private static final byte[] ALERT_ID = JsonSink.label("alert_id");
    private static final byte[] GROUP_BY = JsonSink.label("group_by");
    private static final byte[] COOLDOWN = JsonSink.label("cooldown_ms");

    private final ScoringPlan plan;
    private final Policy policy;
    private final MinorUnits currency;
    private final String topicId;
    private final int partition;
    private final byte[] positionStart;
    private final byte[] policyMembers;
    private final byte[] currencyMember;
    private final Map<EventLayout, byte[][]> fieldLabels = new IdentityHashMap<>();
    private final byte[][] featureLabels;
    private final Map<String, byte[]> valueLabels = new HashMap<>();
    private final JsonSink sink = new JsonSink();

    RecordEncoder(ScoringPlan plan, String topicId, int partition) {
        this.plan = plan;
        this.policy = plan.policy();
        this.currency = policy.currency();
        this.topicId = topicId;
        this.partition = partition;
        this.positionStart = new JsonSink()
                .raw(JsonSink.label("position"))
                .raw('{')
                .raw(JsonSink.label("topic_id"))
                .text(topicId)
                .raw(',')
                .raw(JsonSink.label("partition"))
                .number(partition)
                .raw(',')
                .raw(OFFSET)
                .toBytes();
        this.policyMembers = new JsonSink()
                .raw(JsonSink.label("policy"))
                .text(policy.name())
                .raw(',')
                .raw(JsonSink.label("policy_version"))
                .number(policy.version())
                .raw(',')
                .toBytes();
        this.currencyMember = new JsonSink()
                .raw(JsonSink.label("currency"))
                .text(currency.currency())
                .raw(',')
                .toBytes();
        this.featureLabels = plan.features().stream()
                .map(slot -> JsonSink.label(slot.name()))
                .toArray(byte[][]::new);
    }

    byte[] scored(ScoringStep step) {
        sink.reset().raw('{');
        identity(step);
        sink.raw(BACKFILL).bool(step.isBackfill()).raw(',');
        sink.raw(REVISION).number(step.revision()).raw(',');
        position(step.offset());
        sink.raw(policyMembers);
        verdict(step);
        fields(step.event(), step.eventPlan());
        sink.raw(',').raw(FEATURES).raw('{');
        List<Slot> features = plan.features();
        for (int i = 0; i < features.size(); i++) {
            Slot slot = features.get(i);
            value(featureLabels[i], slot.type(), slot.slot(), step.frame());
        }
        sink.dropComma().raw('}').raw(',').raw(RULES);
        hits(step, false);
        sink.raw(',').raw(SHADOW_RULES);
        hits(step, true);
        return sink.raw('}').toBytes();
    }

    byte[] alert(ScoringStep step, String groupBy) {
        sink.reset().raw('{').raw(ALERT_ID).text(alertId(step)).raw(',');
        identity(step);
        position(step.offset());
        sink.raw(policyMembers).raw(currencyMember);
        verdict(step);
        sink.raw(GROUP_BY).text(groupBy).raw(',');
        sink.raw(COOLDOWN).number(policy.alerts().cooldownMs()).raw(',');
        fields(step.event(), step.eventPlan());
        sink.raw(',').raw(RULES);
        hits(step, false);
        return sink.raw('}').toBytes();
    }

    private void identity(ScoringStep step) {
        StoredEvent event = step.event();
        sink.raw(EVENT_ID).text(event.id()).raw(',');
        sink.raw(SOURCE).text(event.source()).raw(',');
        sink.raw(TYPE).text(event.layout().eventType()).raw(',');
        sink.raw(ACCOUNT).text(step.account()).raw(',');
        sink.raw(EVENT_TIME).number(event.timeUs()).raw(',');
        sink.raw(INGEST_TIME).number(step.ingestTimeMs()).raw(',');
    }

    private void position(long offset) {
        sink.raw(positionStart).number(offset).raw('}').raw(',');
    }

    private void verdict(ScoringStep step) {
        sink.raw(SCORE).number(step.score()).raw(',');
        sink.raw(DECISION).text(step.decision().label()).raw(',');
    }

    private void fields(StoredEvent event, EventPlan eventPlan) {
        EventLayout layout = eventPlan.layout();
        byte[][] labels = fieldLabels.computeIfAbsent(layout, known -> labels(eventPlan));
        int[] fields = eventPlan.fields();
        sink.raw(FIELDS).raw('{');
        for (int i = 0; i < fields.length; i++) {
            int slot = layout.slot(fields[i]);
            FieldType type = layout.type(fields[i]);
            if (type == FieldType.STRING) {
                String text = event.text(slot);
                if (text != null) {
                    sink.raw(labels[i]).text(text).raw(',');
                }
            } else if (event.hasNumber(slot)) {
                sink.raw(labels[i]).value(type, event.number(slot), currency).raw(',');
            }
        }
        sink.dropComma().raw('}');
    }

    private static byte[][] labels(EventPlan eventPlan) {
        return Arrays.stream(eventPlan.fields())
                .mapToObj(
                        field -> JsonSink.label(eventPlan.layout().field(field).name()))
                .toArray(byte[][]::new);
    }

    private void value(byte[] label, FieldType type, int slot, Frame frame) {
        if (!frame.isPresent(slot)) {
            return;
        }
        sink.raw(label);
        if (type == FieldType.STRING) {
            sink.text(frame.text(slot));
        } else {
            sink.value(type, frame.number(slot), currency);
        }
        sink.raw(',');
    }

    private void hits(ScoringStep step, boolean shadow) {
        sink.raw('[');
        for (Rule rule : step.hits()) {
            if (rule.shadow() == shadow) {
                sink.raw('{').raw(RULE).text(rule.id()).raw(',');
                sink.raw(SCORE).number(rule.score()).raw(',');
                sink.raw(REASON).text(rule.reason()).raw(',');
                sink.raw(VALUES).raw('{');
                for (Scope.Variable read : rule.when().reads()) {
                    byte[] label = valueLabels.computeIfAbsent(read.name(), JsonSink::label);
                    value(label, read.type(), read.slot(), step.frame());
                }
                sink.dropComma().raw('}').raw('}').raw(',');
            }
        }
        sink.dropComma().raw(']');
    }

    /** {@code alr_} and 128 bits of SHA-256 over position, source and id: the same for the same event at the same place. */
    private String alertId(ScoringStep step) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : List.of(
                    new SourcePosition(topicId, partition, step.offset()).toString(),
                    step.event().source(),
                    step.event().id())) {
                digest.update(part.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
            return "alr_" + HexFormat.of().formatHex(digest.digest(), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    byte[] schema(long offset, @Nullable Map<String, Long> completeSinceUs) {
        Map<String, FieldType> fields = new LinkedHashMap<>();
        for (EventDeclaration event : policy.events()) {
            fields.putAll(event.fields());
        }
        Map<String, FieldType> features = new LinkedHashMap<>();
        plan.features().forEach(slot -> features.put(slot.name(), slot.type()));
        return Json.encode(new ScoredSchema(
                policy.name(),
                policy.version(),
                currency.currency(),
                currency.digits(),
                new SourcePosition(topicId, partition, offset),
                fields,
                features,
                completeSinceUs));
    }
}
