package dev.vigil.scoring.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The last policies that were active, the active one included, so that an event can be explained by the one that scored
 * it. Part of the task's state; changes when a policy becomes active. One thread.
 */
public final class PastPolicies {
    /** Older ones are given up; what they scored can no longer be explained. */
    static final int KEPT = 8;

    private static final int VERSION = 1;

    /**
     * @param offset of its activation; it scored the events after that, up to the next activation
     * @param lookBackUs longest that its windows reach back
     */
    public record Past(long offset, long lookBackUs, String text) {}

    private final Deque<Past> policies = new ArrayDeque<>();
    private boolean changed;

    public void activated(long offset, long lookBackUs, String text) {
        policies.addLast(new Past(offset, lookBackUs, text));
        if (policies.size() > KEPT) {
            policies.removeFirst();
        }
        changed = true;
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
        }
        batch.put(StateKeys.PAST_POLICIES, sink.toBytes());
    }

    static PastPolicies load(StateStore store) {
        PastPolicies past = new PastPolicies();
        byte[] bytes = store.get(StateKeys.PAST_POLICIES);
        if (bytes != null) {
            ByteSource source = new ByteSource(bytes);
            EntityCodec.requireVersion(source.readByte(), "past policies");
            for (int left = source.readCount(); left > 0; left--) {
                past.policies.addLast(new Past(source.readSigned(), source.readVarint(), source.readText()));
            }
        }
        return past;
    }
}
