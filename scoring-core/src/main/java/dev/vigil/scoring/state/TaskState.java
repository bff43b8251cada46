package dev.vigil.scoring.state;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a task knows beside its accounts: where in the log it stands, the watermark, the counts, the active policy and the
 * layouts. Written in the same batch as the accounts, so that all of it is a function of one log prefix.
 */
public final class TaskState {
    /** No event was accepted yet. */
    public static final long NO_WATERMARK = Long.MIN_VALUE;

    /** Format 1 had no timers: its accounts would never leave. */
    private static final int VERSION = 2;

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

    /**
     * Since when a summary is made.
     *
     * @param text of its declaration
     * @param afterUs its windows are those that begin later, µs
     */
    public record SummaryStart(String text, long afterUs) {}

    private final LayoutRegistry layouts;
    private final KnownSince known;
    private final PastPolicies pastPolicies;
    private final long[] ends = new long[End.values().length];
    private String topicId = "";
    private long nextOffset;
    private long watermarkUs = NO_WATERMARK;
    private long forgottenUs = Long.MIN_VALUE;
    private long latestUs = Long.MIN_VALUE;
    private long read;
    private long alerts;
    private long corrections;
    private long summaries;
    private final Map<String, SummaryStart> summaryStarts = new TreeMap<>();
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
        EntityCodec.requireVersion(source.readByte(), VERSION, "task state");
        String topicId = source.readText();
        long nextOffset = source.readVarint();
        long watermarkUs = source.readFixed64();
        long forgottenUs = source.readFixed64();
        long latestUs = source.readFixed64();
        long read = source.readVarint();
        long alerts = source.readVarint();
        long corrections = source.readVarint();
        long summaries = source.readVarint();
        long[] ends = new long[source.readCount()];
        for (int i = 0; i < ends.length; i++) {
            ends[i] = source.readVarint();
        }
        if (ends.length != End.values().length) {
            throw new StateFormatException("task state with " + ends.length + " counts");
        }
        TaskState state = new TaskState(LayoutRegistry.read(source), KnownSince.load(store), PastPolicies.load(store));
        int summaryStarts = source.readCount();
        for (int i = 0; i < summaryStarts; i++) {
            state.summaryStarts.put(source.readText(), new SummaryStart(source.readText(), source.readFixed64()));
        }
        state.topicId = topicId;
        state.nextOffset = nextOffset;
        state.watermarkUs = watermarkUs;
        state.forgottenUs = forgottenUs;
        state.read = read;
        state.alerts = alerts;
        state.corrections = corrections;
        state.summaries = summaries;
        state.latestUs = latestUs;
        System.arraycopy(ends, 0, state.ends, 0, ends.length);
        byte[] policy = store.get(StateKeys.POLICY);
        state.policyText = policy == null ? null : new String(policy, StandardCharsets.UTF_8);
        return state;
    }

    /** Adds the task's own keys to a step's batch. */
    public void collect(StateBatch batch) {
        ByteSink sink = new ByteSink();
        sink.writeByte(VERSION);
        sink.writeText(topicId);
        sink.writeVarint(nextOffset);
        sink.writeFixed64(watermarkUs);
        sink.writeFixed64(forgottenUs);
        sink.writeFixed64(latestUs);
        sink.writeVarint(read);
        sink.writeVarint(alerts);
        sink.writeVarint(corrections);
        sink.writeVarint(summaries);
        sink.writeVarint(ends.length);
        for (long end : ends) {
            sink.writeVarint(end);
        }
        layouts.write(sink);
        sink.writeVarint(summaryStarts.size());
        summaryStarts.forEach((name, start) -> {
            sink.writeText(name);
            sink.writeText(start.text());
            sink.writeFixed64(start.afterUs());
        });
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

    /** Records that corrected earlier ones. */
    public long corrections() {
        return corrections;
    }

    public void countCorrections(long count) {
        corrections += count;
    }

    /** Results of summaries, corrected ones included. */
    public long summaries() {
        return summaries;
    }

    public void countSummary() {
        summaries++;
    }

    /**
     * Makes summaries active: those that were so already under the same text go on, others begin with the windows that no
     * event was in yet.
     *
     * @param texts by name
     */
    public void startSummaries(Map<String, String> texts) {
        summaryStarts.keySet().retainAll(texts.keySet());
        texts.forEach((name, text) -> {
            SummaryStart start = summaryStarts.get(name);
            if (start == null || !start.text().equals(text)) {
                summaryStarts.put(name, new SummaryStart(text, latestUs));
            }
        });
    }

    /** Windows of the active summary that begin later are its own, µs. */
    public long summaryAfterUs(String name) {
        return Objects.requireNonNull(summaryStarts.get(name)).afterUs();
    }

    /** Event time, µs; {@link #NO_WATERMARK} before the first event. Never falls. */
    public long watermarkUs() {
        return watermarkUs;
    }

    /** An event of this time is entered. */
    public void saw(long timeUs, long outOfOrdernessUs) {
        latestUs = Math.max(latestUs, timeUs);
        advanceWatermark(timeUs - outOfOrdernessUs);
    }

    /** Latest time of an event that was entered, µs; the least value before the first. */
    public long latestUs() {
        return latestUs;
    }

    public void advanceWatermark(long toUs) {
        watermarkUs = Math.max(watermarkUs, toUs);
    }

    /**
     * The horizon: events at or before this time count as forgotten, even while their block is still there, so that the
     * moment at which blocks leave changes nothing. µs; the least value before the first event. Never falls.
     */
    public long forgottenUs() {
        return forgottenUs;
    }

    /** Sets the horizon so far behind the watermark. */
    public void forget(long behindUs) {
        if (watermarkUs != NO_WATERMARK) {
            forgottenUs = Math.max(forgottenUs, watermarkUs - behindUs);
        }
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
