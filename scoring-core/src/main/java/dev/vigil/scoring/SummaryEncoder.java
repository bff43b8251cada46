package dev.vigil.scoring;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.ScoringPlan.Slot;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.policy.Policy;

/** Writes results of summaries under one policy. One thread. */
final class SummaryEncoder {
    private static final byte[] SUMMARY = JsonSink.label("summary");
    private static final byte[] ACCOUNT = JsonSink.label("account");
    private static final byte[] START = JsonSink.label("window_start_us");
    private static final byte[] END = JsonSink.label("window_end_us");
    private static final byte[] REVISION = JsonSink.label("revision");
    private static final byte[] POSITION = JsonSink.label("position");
    private static final byte[] TOPIC_ID = JsonSink.label("topic_id");
    private static final byte[] PARTITION = JsonSink.label("partition");
    private static final byte[] OFFSET = JsonSink.label("offset");
    private static final byte[] INDEX = JsonSink.label("index");
    private static final byte[] POLICY = JsonSink.label("policy");
    private static final byte[] POLICY_VERSION = JsonSink.label("policy_version");
    private static final byte[] CURRENCY = JsonSink.label("currency");
    private static final byte[] VALUES = JsonSink.label("values");

    private final Policy policy;
    private final String topicId;
    private final int partition;
    private final JsonSink sink = new JsonSink();

    SummaryEncoder(Policy policy, String topicId, int partition) {
        this.policy = policy;
        this.topicId = topicId;
        this.partition = partition;
    }

    /** The result over the plan's current window. @param index among the results of this offset, from 0 */
    byte[] encode(SummaryPlan plan, String account, long revision, long offset, int index, Frame frame) {
        sink.reset().raw('{').raw(SUMMARY).text(plan.name()).raw(',');
        sink.raw(ACCOUNT).text(account).raw(',');
        sink.raw(START).number(plan.startUs()).raw(',');
        sink.raw(END).number(plan.endUs()).raw(',');
        sink.raw(REVISION).number(revision).raw(',');
        sink.raw(POSITION).raw('{').raw(TOPIC_ID).text(topicId).raw(',');
        sink.raw(PARTITION).number(partition).raw(',');
        sink.raw(OFFSET).number(offset).raw('}').raw(',');
        sink.raw(INDEX).number(index).raw(',');
        sink.raw(POLICY).text(policy.name()).raw(',');
        sink.raw(POLICY_VERSION).number(policy.version()).raw(',');
        sink.raw(CURRENCY).text(policy.currency().currency()).raw(',');
        sink.raw(VALUES).raw('{');
        for (Slot slot : plan.values()) {
            if (frame.isPresent(slot.slot())) {
                sink.raw(JsonSink.label(slot.name()));
                if (slot.type() == FieldType.STRING) {
                    sink.text(frame.text(slot.slot()));
                } else {
                    sink.value(slot.type(), frame.number(slot.slot()), policy.currency());
                }
                sink.raw(',');
            }
        }
        return sink.dropComma().raw('}').raw('}').toBytes();
    }
}
