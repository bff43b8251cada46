package dev.vigil.scoring.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An account's events in time order, ties in log order. One thread.
 *
 * <p>An insertion touches one block. A full one hands its last event on to the next, or is split where the next is full
 * too; so blocks stay full and their ids in order where events come a little out of order. Events that no window can reach any more leave in whole blocks from
 * the front. Which identities are there is known from their hashes when a timeline has grown beyond {@link #SMALL}; up to that a search is cheaper.
 *
 * <p>An identity may stand here twice: once long enough ago to count as forgotten, in a block that is still there, and
 * once from a redelivery since. The later one in time is the one that counts.
 */
public final class Timeline {
    /** Up to this many events, looking at each beats any index. */
    public static final int SMALL = 64;

    private @Nullable Block first;
    private @Nullable Block last;
    private long nextBlockId;
    private int size;
    private final BlockRuns runs = new BlockRuns();
    private long revision;
    private long labelRevision;
    private @Nullable IdentityHashes identities;
    private final List<Long> removedBlockIds = new ArrayList<>();
    private final List<Block> changedBlocks = new ArrayList<>();
    private boolean blocksCameOrLeft;

    Timeline(long nextBlockId) {
        this.nextBlockId = nextBlockId;
    }

    public int size() {
        return size;
    }

    /** Time of the last event, µs; of one that is there. */
    public long latestUs() {
        return Objects.requireNonNull(last).lastTimeUs();
    }

    long nextBlockId() {
        return nextBlockId;
    }

    /** Ids of the blocks in time order. */
    BlockRuns runs() {
        return runs;
    }

    public @Nullable Block first() {
        return first;
    }

    public @Nullable Block last() {
        return last;
    }

    /** Changes when the last event was forgotten; not when one is inserted. */
    public long revision() {
        return revision;
    }

    /** Changes when an event's labels have changed. */
    public long labelRevision() {
        return labelRevision;
    }

    /** Whether no block has left since the account came. */
    public boolean isWhole() {
        long blocks = 0;
        for (Block block = first; block != null; block = block.next) {
            blocks++;
        }
        return blocks == nextBlockId;
    }

    /** Whether an event's time is in [fromUs, beforeUs). */
    public boolean hasEventIn(long fromUs, long beforeUs) {
        for (Block block = last; block != null && block.lastTimeUs() >= fromUs; block = block.previous) {
            for (int i = block.count - 1; i >= 0; i--) {
                if (block.timeUs(i) < beforeUs) {
                    return block.timeUs(i) >= fromUs;
                }
            }
        }
        return false;
    }

    /** Whether an event has left that was here when an event entered last; its place in time order tells. */
    public boolean hasForgotten(StoredEvent event) {
        if (first == null) {
            return true;
        }
        return event.timeUs() < first.timeUs(0)
                || event.timeUs() == first.timeUs(0) && event.offset() < first.offset(0);
    }

    /** Whether at most one event has this time. */
    public boolean isAloneAt(long timeUs) {
        int found = 0;
        for (Block block = last; block != null && block.lastTimeUs() >= timeUs; block = block.previous) {
            for (int i = block.count - 1; i >= 0 && block.timeUs(i) >= timeUs; i--) {
                found += block.timeUs(i) == timeUs ? 1 : 0;
            }
        }
        return found <= 1;
    }

    /** Whether an event of this time would come last. */
    public boolean wouldAppend(long timeUs) {
        return last == null || last.lastTimeUs() <= timeUs;
    }

    /** A copy of the event of the same identity, the last in time if there are several; null if none is remembered. */
    public @Nullable StoredEvent find(StoredEvent identity) {
        if (identities == null && size > SMALL) {
            identities = hashes();
        }
        if (identities != null && !identities.contains(identity.identityHash())) {
            return null;
        }
        for (Block block = last; block != null; block = block.previous) {
            int index = block.find(identity);
            if (index >= 0) {
                return block.event(index);
            }
        }
        return null;
    }

    private IdentityHashes hashes() {
        IdentityHashes hashes = new IdentityHashes(size);
        for (Block block = first; block != null; block = block.next) {
            for (int i = 0; i < block.count; i++) {
                hashes.add(block.identityHash(i));
            }
        }
        return hashes;
    }

    /** Adds an event behind all that are not later. Its offset must be the largest. */
    public void insert(StoredEvent event) {
        if (identities != null) {
            identities.add(event.identityHash());
        }
        size++;
        if (wouldAppend(event.timeUs())) {
            append(event);
            return;
        }
        Block block = last;
        while (block != null && block.previous != null && block.firstTimeUs() > event.timeUs()) {
            block = block.previous;
        }
        insertInto(Objects.requireNonNull(block), event);
    }

    private void append(StoredEvent event) {
        Block tail = last;
        if (tail == null || tail.isFull()) {
            tail = linkAfter(last);
        }
        tail.insert(tail.count, event);
        changed(tail);
    }

    private void insertInto(Block block, StoredEvent event) {
        int index = block.firstAfter(event.timeUs());
        if (!block.isFull()) {
            block.insert(index, event);
            changed(block);
            return;
        }
        Block next = block.next == null ? linkAfter(block) : block.next;
        if (next.isFull()) {
            split(block, event);
        } else if (index == Block.CAPACITY) {
            next.insert(0, event);
            changed(next);
        } else {
            next.insert(0, block.removeLast());
            changed(next);
            block.insert(index, event);
            changed(block);
        }
    }

    private void split(Block block, StoredEvent event) {
        Block upper = linkAfter(block);
        block.moveTo(upper, Block.CAPACITY / 2);
        Block target = upper.firstTimeUs() <= event.timeUs() ? upper : block;
        target.insert(target.firstAfter(event.timeUs()), event);
        changed(upper);
        changed(block);
    }

    private void changed(Block block) {
        if (!block.changed) {
            block.changed = true;
            changedBlocks.add(block);
        }
    }

    private Block linkAfter(@Nullable Block before) {
        Block block = new Block(nextBlockId++);
        link(block, before);
        return block;
    }

    private void link(Block block, @Nullable Block before) {
        blocksCameOrLeft = true;
        block.previous = before;
        if (before == null) {
            block.next = first;
            first = block;
        } else {
            block.next = before.next;
            before.next = block;
        }
        if (block.next == null) {
            last = block;
            runs.append(block.id);
        } else {
            block.next.previous = block;
            // Only the first block has none before it.
            runs.insertAfter(Objects.requireNonNull(before).id, block.id);
        }
    }

    /** Takes in a block as it was stored, behind the others. */
    void restore(Block block) {
        link(block, last);
        blocksCameOrLeft = false;
        size += block.count;
    }

    /** Makes a label of an event of this timeline true or takes it away; false if it was so already. */
    public boolean label(StoredEvent event, String label, boolean value) {
        for (Block block = last; block != null && block.lastTimeUs() >= event.timeUs(); block = block.previous) {
            int index = block.firstTimeUs() <= event.timeUs() ? block.indexOf(event.offset()) : -1;
            if (index >= 0) {
                if (!event.label(label, value)) {
                    return false;
                }
                block.setLabels(index, event.labels());
                block.forgetEncoded();
                changed(block);
                labelRevision++;
                return true;
            }
        }
        throw new IllegalArgumentException("no event of this timeline: " + event.id());
    }

    /**
     * Lets go of blocks that lie wholly at or before the horizon, the earliest first. A block that left still leads to its
     * successors, so that a window that ends in it can move on.
     *
     * @param maxBlocks how many at most; the others follow with later calls
     */
    public void prune(long horizonUs, int maxBlocks) {
        for (int left = maxBlocks; left > 0 && first != null && first.lastTimeUs() <= horizonUs; left--) {
            Block gone = first;
            gone.gone = true;
            if (identities != null) {
                for (int i = 0; i < gone.count; i++) {
                    identities.remove(gone.identityHash(i));
                }
            }
            removedBlockIds.add(gone.id);
            size -= gone.count;
            runs.removeFirst();
            blocksCameOrLeft = true;
            first = gone.next;
            if (first == null) {
                last = null;
                revision++;
            } else {
                first.previous = null;
            }
        }
    }

    /** Is as a new one from now on; has no events. */
    void startAnew() {
        nextBlockId = 0;
    }

    void moveToCurrentLayouts(LayoutRegistry layouts) {
        identities = null;
        for (Block block = first; block != null; block = block.next) {
            block.moveToCurrentLayouts(layouts);
        }
    }

    /** The ids of blocks that left since the last call. */
    List<Long> drainRemovedBlockIds() {
        List<Long> drained = List.copyOf(removedBlockIds);
        removedBlockIds.clear();
        return drained;
    }

    /** Whether blocks were added or left since the last call. */
    boolean drainBlocksCameOrLeft() {
        boolean drained = blocksCameOrLeft;
        blocksCameOrLeft = false;
        return drained;
    }

    /** The blocks that changed since the last call and are still here. */
    List<Block> drainChangedBlocks() {
        List<Block> drained = new ArrayList<>(changedBlocks.size());
        for (Block block : changedBlocks) {
            block.changed = false;
            if (!block.gone) {
                drained.add(block);
            }
        }
        changedBlocks.clear();
        return drained;
    }
}
