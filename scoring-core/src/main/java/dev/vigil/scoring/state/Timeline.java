package dev.vigil.scoring.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An account's events in time order, ties in log order. One thread.
 *
 * <p>An insertion touches one block, or splits one. Events that no window can reach any more leave in whole blocks from
 * the front. The index by identity is built when a timeline grows beyond {@link #SMALL}; up to that a search is cheaper.
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
    /** Null where a block in the middle was split since: to be gathered anew. */
    private @Nullable BlockRuns runs = new BlockRuns();

    private long revision;
    private @Nullable IdentityIndex identities;
    private final List<Long> removedBlockIds = new ArrayList<>();
    private final List<Block> changedBlocks = new ArrayList<>();
    private boolean blocksCameOrLeft;

    Timeline(long nextBlockId) {
        this.nextBlockId = nextBlockId;
    }

    public int size() {
        return size;
    }

    /** The last in time; null if there is none. */
    public @Nullable StoredEvent latest() {
        return last == null ? null : last.events[last.count - 1];
    }

    long nextBlockId() {
        return nextBlockId;
    }

    /** Ids of the blocks in time order. */
    BlockRuns runs() {
        if (runs == null) {
            runs = BlockRuns.of(first);
        }
        return runs;
    }

    public @Nullable Block first() {
        return first;
    }

    public @Nullable Block last() {
        return last;
    }

    /** Changes when an event has changed, or the last one was forgotten; not when one is inserted. */
    public long revision() {
        return revision;
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

    /** The event of the same identity, the last in time if there are several; null if none is remembered. */
    public @Nullable StoredEvent find(StoredEvent identity) {
        if (identities == null && size > SMALL) {
            identities = index();
        }
        if (identities != null) {
            return identities.get(identity);
        }
        for (Block block = last; block != null; block = block.previous) {
            StoredEvent found = block.find(identity);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private IdentityIndex index() {
        IdentityIndex index = new IdentityIndex(size);
        for (Block block = first; block != null; block = block.next) {
            for (int i = 0; i < block.count; i++) {
                index.put(block.events[i]);
            }
        }
        return index;
    }

    /** Adds an event behind all that are not later. Its offset must be the largest. */
    public void insert(StoredEvent event) {
        if (identities != null) {
            StoredEvent twin = identities.get(event);
            if (twin == null || twin.timeUs() <= event.timeUs()) {
                identities.put(event);
            }
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
        insertInto(java.util.Objects.requireNonNull(block), event);
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
        Block target = block;
        if (block.isFull()) {
            Block upper = linkAfter(block);
            int half = Block.CAPACITY / 2;
            block.moveTo(upper, half);
            changed(upper);
            changed(block);
            if (upper.firstTimeUs() <= event.timeUs()) {
                target = upper;
            }
        }
        target.insert(target.firstAfter(event.timeUs()), event);
        changed(target);
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
            if (runs != null) {
                runs.append(block.id);
            }
        } else {
            block.next.previous = block;
            runs = null;
        }
    }

    /** Takes in a block as it was stored, behind the others. */
    void restore(Block block) {
        link(block, last);
        blocksCameOrLeft = false;
        size += block.count;
    }

    /** Marks the block of an event, whose labels changed, to be written again. */
    public void touch(StoredEvent event) {
        for (Block block = last; block != null; block = block.previous) {
            for (int i = 0; i < block.count; i++) {
                if (block.events[i] == event) {
                    block.forgetEncoded();
                    changed(block);
                    revision++;
                    return;
                }
            }
        }
        throw new IllegalArgumentException("no event of this timeline: " + event.id());
    }

    /**
     * Lets go of the blocks that lie wholly at or before the horizon. A block that left still leads to its successors,
     * so that a window that ends in it can move on.
     */
    public void prune(long horizonUs) {
        while (first != null && first.lastTimeUs() <= horizonUs) {
            Block gone = first;
            gone.gone = true;
            if (identities != null) {
                for (int i = 0; i < gone.count; i++) {
                    identities.remove(gone.events[i]);
                }
            }
            removedBlockIds.add(gone.id);
            size -= gone.count;
            if (runs != null) {
                runs.removeFirst();
            }
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

    /** Lets go of every event, and is then as a new one. */
    void clear() {
        prune(Long.MAX_VALUE);
        nextBlockId = 0;
    }

    void moveToCurrentLayouts(LayoutRegistry layouts) {
        identities = null;
        for (Block block = first; block != null; block = block.next) {
            block.forgetEncoded();
            for (int i = 0; i < block.count; i++) {
                block.events[i] = layouts.inCurrent(block.events[i]);
            }
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
