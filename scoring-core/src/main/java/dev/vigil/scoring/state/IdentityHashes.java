package dev.vigil.scoring.state;

/**
 * Hashes of the identities of an account's events, each as often as it was added: tells of nearly every new event that it
 * is none of them, without a look at any. Open addressing with linear probing over one array. One thread.
 */
final class IdentityHashes {
    /** Stands for a hash of 0, which marks a free slot. */
    private static final long FOR_ZERO = 0x9E3779B97F4A7C15L;

    private long[] hashes;
    private int size;

    IdentityHashes(int expectedSize) {
        hashes = new long[Integer.highestOneBit(Math.max(16, expectedSize) * 4 - 1)];
    }

    boolean contains(long hash) {
        return hashes[slot(kept(hash))] != 0;
    }

    private static long kept(long hash) {
        return hash == 0 ? FOR_ZERO : hash;
    }

    private int home(long hash) {
        return (int) hash & hashes.length - 1;
    }

    /** Of the first such hash, or of the free one where it would be. */
    private int slot(long hash) {
        int slot = home(hash);
        while (hashes[slot] != 0 && hashes[slot] != hash) {
            slot = next(slot);
        }
        return slot;
    }

    private int next(int slot) {
        return slot + 1 & hashes.length - 1;
    }

    void add(long hash) {
        if (++size > hashes.length / 2) {
            grow();
        }
        insert(kept(hash));
    }

    private void insert(long hash) {
        int slot = home(hash);
        while (hashes[slot] != 0) {
            slot = next(slot);
        }
        hashes[slot] = hash;
    }

    private void grow() {
        long[] before = hashes;
        hashes = new long[before.length * 2];
        for (long hash : before) {
            if (hash != 0) {
                insert(hash);
            }
        }
    }

    /** Takes away one that was added. */
    void remove(long hash) {
        int hole = slot(kept(hash));
        if (hashes[hole] == 0) {
            throw new IllegalStateException("a hash that is not there");
        }
        size--;
        for (int slot = next(hole); hashes[slot] != 0; slot = next(slot)) {
            // What would not be found any more with a gap before it moves into the gap.
            int mask = hashes.length - 1;
            if ((slot - home(hashes[slot]) & mask) >= (slot - hole & mask)) {
                hashes[hole] = hashes[slot];
                hole = slot;
            }
        }
        hashes[hole] = 0;
    }
}
