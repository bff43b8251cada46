package dev.vigil.engine.rocksdb;

import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * Memory that all stores of a process share, so that it is bounded however many partitions there are. Closed after the
 * last store.
 */
public final class RocksDbResources implements AutoCloseable {
    private final Cache blockCache;
    private final WriteBufferManager writeBuffers;

    static {
        RocksDB.loadLibrary();
    }

    public RocksDbResources(long blockCacheBytes, long writeBufferBytes) {
        // Write buffers are charged to the cache, so that both together stay within the sum.
        blockCache = new LRUCache(blockCacheBytes + writeBufferBytes);
        writeBuffers = new WriteBufferManager(writeBufferBytes, blockCache);
    }

    Cache blockCache() {
        return blockCache;
    }

    WriteBufferManager writeBuffers() {
        return writeBuffers;
    }

    /** Whether nothing of it is left in native memory. */
    boolean isReleased() {
        return !writeBuffers.isOwningHandle() && !blockCache.isOwningHandle();
    }

    @Override
    public void close() {
        writeBuffers.close();
        blockCache.close();
    }
}
