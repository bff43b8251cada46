package dev.vigil.scoring.state;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a task knows beside its accounts: where in the log it stands, the watermark, the counts, the active policy and the
 * layouts. Written in the same batch as the accounts, so that all of it is a function of one log prefix.
 */
public final class TaskState {
    /** No event was accepted yet. */
    public static final long NO_WATERMARK = Long.MIN_VALUE;

    /** What became of records, in the order in which the counts are stored. */
    public enum End {
        SCORED,
        CONTROL,
        REFERENCE,
        LABEL,
        DUPLICATE,
        LATE,
        DEAD_LETTERED
    }

    private final LayoutRegistry layouts;
    private final KnownSince known;
    private final PastPolicies pastPolicies;
    private final long[] ends = new long[End.values().length];
    private String topicId = "";
    private long nextOffset;
    private long watermarkUs = NO_WATERMARK;
    private long read;
    private long alerts;
    private @Nullable String policyText;
    private boolean policyChanged;

    private TaskState(LayoutRegistry layouts, KnownSince known, PastPolicies pastPolicies) {
        this.layouts = layouts;
        this.known = known;
        this.pastPolicies = pastPolicies;
    }

    /** @return the state in the store; a new one at offset 0 if the store is empty */
    public static TaskState load(StateStore store) {
        byte[] bytes = store.get(StateKeys.TASK);
        if (bytes == null) {
            return new TaskState(new LayoutRegistry(), new KnownSince(), new PastPolicies());
        }
        ByteSource source = new ByteSource(bytes);
        EntityCodec.requireVersion(source.readByte(), "task state");
        String topicId = source.readText();
        long nextOffset = source.readVarint();
        long watermarkUs = source.readFixed64();
        long read = source.readVarint();
        long alerts = source.readVarint();
        long[] ends = new long[source.readCount()];
        for (int i = 0; i < ends.length; i++) {
            ends[i] = source.readVarint();
        }
        if (ends.length != End.values().length) {
            throw new StateFormatException("task state with " + ends.length + " counts");
        }
        TaskState state = new TaskState(LayoutRegistry.read(source), KnownSince.load(store), PastPolicies.load(store));
        state.topicId = topicId;
        state.nextOffset = nextOffset;
        state.watermarkUs = watermarkUs;
        state.read = read;
        state.alerts = alerts;
        System.arraycopy(ends, 0, state.ends, 0, ends.length);
        byte[] policy = store.get(StateKeys.POLICY);
        state.policyText = policy == null ? null : new String(policy, StandardCharsets.UTF_8);
        return state;
    }

    /** Adds the task's own keys to a step's batch. */
    public void collect(StateBatch batch) {
        ByteSink sink = new ByteSink();
        sink.writeByte(EntityCodec.VERSION);
        sink.writeText(topicId);
        sink.writeVarint(nextOffset);
        sink.writeFixed64(watermarkUs);
        sink.writeVarint(read);
        sink.writeVarint(alerts);
        sink.writeVarint(ends.length);
        for (long end : ends) {
            sink.writeVarint(end);
        }
        layouts.write(sink);
        batch.put(StateKeys.TASK, sink.toBytes());
        if (policyChanged && policyText != null) {
            batch.put(StateKeys.POLICY, policyText.getBytes(StandardCharsets.UTF_8));
            policyChanged = false;
        }
        known.collect(batch);
        pastPolicies.collect(batch);
    }

    public LayoutRegistry layouts() {
        return layouts;
    }

    public KnownSince known() {
        return known;
    }

    public PastPolicies pastPolicies() {
        return pastPolicies;
    }

    /** Id of the topic that the position is in; empty before the first record. */
    public String topicId() {
        return topicId;
    }

    public void setTopicId(String topicId) {
        this.topicId = topicId;
    }

    /** Offset of the next record to process. */
    public long nextOffset() {
        return nextOffset;
    }

    /** Counts a record of the log as processed. */
    public void passed(long offset, End end) {
        nextOffset = offset + 1;
        read++;
        ends[end.ordinal()]++;
    }

    public long read() {
        return read;
    }

    public long count(End end) {
        return ends[end.ordinal()];
    }

    public long alerts() {
        return alerts;
    }

    public void countAlert() {
        alerts++;
    }

    /** Event time, µs; {@link #NO_WATERMARK} before the first event. Never falls. */
    public long watermarkUs() {
        return watermarkUs;
    }

    public void advanceWatermark(long toUs) {
        watermarkUs = Math.max(watermarkUs, toUs);
    }

    /** YAML of the active policy; null before the first activation. */
    public @Nullable String policyText() {
        return policyText;
    }

    public void setPolicyText(String text) {
        policyText = text;
        policyChanged = true;
    }
}
