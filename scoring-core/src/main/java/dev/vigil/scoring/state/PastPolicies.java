package dev.vigil.scoring.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last policies that were active, the active one included, so that an event can be explained by the one that scored
 * it. Part of the task's state; changes when a policy becomes active. One thread.
 */
public final class PastPolicies {
    /** Older ones are given up; what they scored can no longer be explained. */
    static final int KEPT = 8;

    /** Format 1 did not say since when the features of a policy that is gone were complete. */
    private static final int VERSION = 2;

    /**
     * @param offset of its activation; it scored the events after that, up to the next activation
     * @param lookBackUs longest that its windows reach back
     * @param completeSinceUs since when its features were complete, by name; null while it is active, and where that is
     *     not known
     */
    public record Past(
            long offset,
            long lookBackUs,
            String text,
            @Nullable Map<String, Long> completeSinceUs) {}

    private final Deque<Past> policies = new ArrayDeque<>();
    private boolean changed;

    public void activated(long offset, long lookBackUs, String text) {
        policies.addLast(new Past(offset, lookBackUs, text, null));
        if (policies.size() > KEPT) {
            policies.removeFirst();
        }
        changed = true;
    }

    /**
     * The active policy leaves.
     *
     * @param completeSinceUs as of {@link Past}; it was the same for all that the policy scored
     */
    public void leaving(@Nullable Map<String, Long> completeSinceUs) {
        Past active = policies.pollLast();
        if (active != null) {
            policies.addLast(new Past(active.offset(), active.lookBackUs(), active.text(), completeSinceUs));
            changed = true;
        }
    }

    /** The policy that scored the event at an offset; null if it is not known any more. */
    public @Nullable Past at(long offset) {
        for (Iterator<Past> newestFirst = policies.descendingIterator(); newestFirst.hasNext(); ) {
            Past policy = newestFirst.next();
            if (policy.offset() < offset) {
                return policy;
            }
        }
        return null;
    }

    public boolean isActive(Past policy) {
        return policies.peekLast() == policy;
    }

    void collect(StateBatch batch) {
        if (!changed) {
            return;
        }
        changed = false;
        ByteSink sink = new ByteSink();
        sink.writeByte(VERSION);
        sink.writeVarint(policies.size());
        for (Past policy : policies) {
            sink.writeSigned(policy.offset());
            sink.writeVarint(policy.lookBackUs());
            sink.writeText(policy.text());
            write(policy.completeSinceUs(), sink);
        }
        batch.put(StateKeys.PAST_POLICIES, sink.toBytes());
    }

    private static void write(@Nullable Map<String, Long> completeSinceUs, ByteSink sink) {
        sink.writeByte(completeSinceUs == null ? 0 : 1);
        if (completeSinceUs != null) {
            sink.writeVarint(completeSinceUs.size());
            completeSinceUs.forEach((feature, sinceUs) -> {
                sink.writeText(feature);
                sink.writeFixed64(sinceUs);
            });
        }
    }

    static PastPolicies load(StateStore store) {
        PastPolicies past = new PastPolicies();
        byte[] bytes = store.get(StateKeys.PAST_POLICIES);
        if (bytes != null) {
            ByteSource source = new ByteSource(bytes);
            int version = source.readByte();
            if (version != 1) {
                EntityCodec.requireVersion(version, VERSION, "past policies");
            }
            for (int left = source.readCount(); left > 0; left--) {
                past.policies.addLast(new Past(
                        source.readSigned(),
                        source.readVarint(),
                        source.readText(),
                        version == 1 ? null : readCompleteSince(source)));
            }
        }
        return past;
    }

    private static @Nullable Map<String, Long> readCompleteSince(ByteSource source) {
        if (source.readByte() == 0) {
            return null;
        }
        Map<String, Long> completeSinceUs = new LinkedHashMap<>();
        for (int left = source.readCount(); left > 0; left--) {
            String feature = source.readText();
            completeSinceUs.put(feature, source.readFixed64());
        }
        return completeSinceUs;
    }
}
