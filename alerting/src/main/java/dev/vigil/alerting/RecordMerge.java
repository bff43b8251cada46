package dev.vigil.alerting;

import dev.vigil.alerting.IntakeRecord.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings alerts and actions of a partition into one order, so that who reads the topics again, or takes over, decides as was
 * decided: by their producers' timestamps, alerts first where these are equal, each kind in its topic's order. What stood in a topic
 * when reading began is waited for; what comes later is taken as it comes, when nothing earlier is there. Used by one thread.
 */
public final class RecordMerge {
    /** Held back of one kind in one partition; the source should read no more of it meanwhile. */
    private static final int ROOM = 500;

    private final Map<Integer, Lane> lanes = new TreeMap<>();

    /** Forgets all that it holds and begins anew. */
    public void clear() {
        lanes.clear();
    }

    /** Before the first record of the partition: how far it goes as reading begins. */
    public void expect(Kind kind, int partition, long endOffset) {
        lane(partition).side(kind).endOffset = endOffset;
    }

    public void add(IntakeRecord record) {
        lane(record.partition()).side(record.kind()).held.add(record);
    }

    /** After a poll's records: the next one read will have this offset or a greater one. */
    public void reached(Kind kind, int partition, long nextOffset) {
        Side side = lane(partition).side(kind);
        side.nextOffset = Math.max(side.nextOffset, nextOffset);
    }

    public boolean hasRoom(Kind kind, int partition) {
        return lane(partition).side(kind).held.size() < ROOM;
    }

    /** All whose place in the order is certain. */
    public List<IntakeRecord> take() {
        List<IntakeRecord> ordered = new ArrayList<>();
        lanes.values().forEach(lane -> lane.take(ordered));
        return ordered;
    }

    private Lane lane(int partition) {
        return lanes.computeIfAbsent(partition, absent -> new Lane());
    }

    /** One kind in one partition. */
    private static final class Side {
        private final Deque<IntakeRecord> held = new ArrayDeque<>();
        private long endOffset;
        private long nextOffset;

        boolean mayBringEarlier() {
            return held.isEmpty() && nextOffset < endOffset;
        }
    }

    /** One partition. */
    private static final class Lane {
        private final Map<Kind, Side> sides = new EnumMap<>(Kind.class);

        Side side(Kind kind) {
            return sides.computeIfAbsent(kind, absent -> new Side());
        }

        void take(List<IntakeRecord> ordered) {
            Side alerts = side(Kind.ALERT);
            Side actions = side(Kind.ACTION);
            while (!alerts.mayBringEarlier() && !actions.mayBringEarlier()) {
                IntakeRecord alert = alerts.held.peek();
                IntakeRecord action = actions.held.peek();
                if (alert == null && action == null) {
                    return;
                }
                boolean alertFirst = action == null || (alert != null && alert.timestampMs() <= action.timestampMs());
                ordered.add(alertFirst ? alerts.held.remove() : actions.held.remove());
            }
        }
    }
}
