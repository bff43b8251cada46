package dev.vigil.cdc.rocksdb;

import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/**
 * The store's RocksDB with its native resources, some 50 MB whatever it holds, and a batch of changes on top that reads see
 * before they are written.
 */
final class CaptureDatabase implements AutoCloseable {
    /** 2: holds no card numbers. */
    private static final byte FORMAT_VERSION = 2;

    private static final String ANEW =
            "; to read the tables anew, drop the replication slot, delete this directory and start again";
    private static final long BLOCK_CACHE_BYTES = 16 << 20;
    private static final long WRITE_BUFFER_BYTES = 8 << 20;

    /** Looks at one entry; false ends the scan. */
    @FunctionalInterface
    interface Visitor {
        boolean visit(byte[] key, byte[] value);
    }

    private final Path directory;
    private final LRUCache blockCache;
    private final BloomFilter bloomFilter;
    private final Options options;
    private final RocksDB rocks;
    private final ReadOptions readOptions = new ReadOptions();
    private final WriteOptions quick = new WriteOptions();
    private final WriteOptions durable = new WriteOptions().setSync(true);
    private final WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
    private boolean hasUnsynced;
    private boolean closed;

    private CaptureDatabase(
            Path directory, LRUCache blockCache, BloomFilter bloomFilter, Options options, RocksDB rocks) {
        this.directory = directory;
        this.blockCache = blockCache;
        this.bloomFilter = bloomFilter;
        this.options = options;
        this.rocks = rocks;
    }

    static CaptureDatabase open(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new ServiceException(
                    "cdc-ingest: expected a writable data directory " + directory + ", found: " + e, e);
        }
        RocksDB.loadLibrary();
        LRUCache blockCache = new LRUCache(BLOCK_CACHE_BYTES, 1);
        BloomFilter bloomFilter = new BloomFilter(10);
        Options options = options(blockCache, bloomFilter);
        RocksDB rocks;
        try {
            rocks = RocksDB.open(options, directory.toString());
        } catch (RocksDBException e) {
            options.close();
            bloomFilter.close();
            blockCache.close();
            throw openFailure(directory, e);
        }
        CaptureDatabase database = new CaptureDatabase(directory, blockCache, bloomFilter, options, rocks);
        try {
            database.checkFormat();
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
        return database;
    }

    private static Options options(LRUCache blockCache, BloomFilter bloomFilter) {
        return new Options()
                .setCreateIfMissing(true)
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setMaxWriteBufferNumber(2)
                .setMaxTotalWalSize(4 * WRITE_BUFFER_BYTES)
                .setMaxOpenFiles(128)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(blockCache)
                        .setCacheIndexAndFilterBlocks(true)
                        .setFilterPolicy(bloomFilter));
    }

    private static ServiceException openFailure(Path directory, RocksDBException e) {
        String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        if (reason.toLowerCase(Locale.ROOT).contains("lock")) {
            return new ServiceException(
                    "cdc-ingest: position " + directory
                            + ": in use by another process; stop it, or give this one a directory of its own",
                    e);
        }
        return new ServiceException("cdc-ingest: position " + directory + ": cannot be opened: " + reason + ANEW, e);
    }

    private void checkFormat() {
        Optional<byte[]> format = find(StoreKeys.FORMAT);
        if (format.isEmpty()) {
            put(StoreKeys.FORMAT, new byte[] {FORMAT_VERSION});
            write(true);
            return;
        }
        if (format.get()[0] != FORMAT_VERSION) {
            throw new ServiceException("cdc-ingest: position " + directory + ": expected format " + FORMAT_VERSION
                    + ", found " + format.get()[0] + "; it was written by another version of Vigil" + ANEW);
        }
    }

    Path directory() {
        return directory;
    }

    Optional<byte[]> find(byte[] key) {
        checkOpen();
        try {
            return Optional.ofNullable(batch.getFromBatchAndDB(rocks, readOptions, key));
        } catch (RocksDBException e) {
            throw failure("read", e);
        }
    }

    void put(byte[] key, byte[] value) {
        checkOpen();
        try {
            batch.put(key, value);
        } catch (RocksDBException e) {
            throw failure("changed", e);
        }
    }

    void delete(byte[] key) {
        checkOpen();
        try {
            batch.delete(key);
        } catch (RocksDBException e) {
            throw failure("changed", e);
        }
    }

    /** All changes since the last write, or nothing. */
    void write(boolean durably) {
        checkOpen();
        if (batch.count() == 0 && !(durably && hasUnsynced)) {
            return;
        }
        try {
            rocks.write(durably ? durable : quick, batch);
            if (durably && batch.count() == 0) {
                rocks.syncWal();
            }
        } catch (RocksDBException e) {
            throw failure("written", e);
        }
        hasUnsynced = !durably;
        batch.clear();
    }

    /** Moves all that was written from the log into a file with checksums, and begins a new log. */
    void flush() {
        checkOpen();
        try (FlushOptions wait = new FlushOptions()) {
            rocks.flush(wait);
        } catch (RocksDBException e) {
            throw failure("written", e);
        }
    }

    void rollback() {
        checkOpen();
        batch.clear();
    }

    /** Entries in the order of their keys, from that key on; changes that are not written yet are seen. */
    void scan(byte[] from, Visitor visitor) {
        checkOpen();
        // The outer iterator owns the inner one.
        try (RocksIterator iterator = batch.newIteratorWithBase(rocks.newIterator())) {
            for (iterator.seek(from); iterator.isValid(); iterator.next()) {
                if (!visitor.visit(iterator.key(), iterator.value())) {
                    return;
                }
            }
            iterator.status();
        } catch (RocksDBException e) {
            throw failure("read", e);
        }
    }

    private ServiceException failure(String what, RocksDBException e) {
        return new ServiceException(
                "cdc-ingest: position " + directory + ": cannot be " + what + ": " + e.getMessage(), e);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("position " + directory + " is closed");
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        batch.close();
        readOptions.close();
        quick.close();
        durable.close();
        rocks.close();
        options.close();
        bloomFilter.close();
        blockCache.close();
    }
}
