package dev.vigil.alerting.rocksdb;

import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The outbox's RocksDB with its native resources, sized for a small, hot set: some 70 MB whatever is
 * pending, since indexes and filters are partitioned and live in the block cache. Not safe for several threads; its owner
 * locks.
 */
final class OutboxDatabase implements AutoCloseable {
    static final byte FORMAT_VERSION = 2;
    /** Has no cases, and else the same: it becomes the present one as soon as it is opened. */
    private static final byte FORMAT_WITHOUT_CASES = 1;

    private static final long BLOCK_CACHE_BYTES = 32 << 20;
    /** Few: a shard has to hold the largest blocks, or they are read again for every key. */
    private static final int BLOCK_CACHE_SHARD_BITS = 1;

    private static final long WRITE_BUFFER_BYTES = 8 << 20;

    /** What a write consists of. */
    @FunctionalInterface
    interface Changes {
        void addTo(WriteBatch batch) throws RocksDBException;
    }

    private final Path directory;
    private final LRUCache blockCache;
    private final BloomFilter bloomFilter;
    private final Options options;
    private final WriteOptions writeOptions;
    private final RocksDB rocks;
    private boolean closed;

    private OutboxDatabase(
            Path directory, LRUCache blockCache, BloomFilter bloomFilter, Options options, RocksDB rocks) {
        this.directory = directory;
        this.blockCache = blockCache;
        this.bloomFilter = bloomFilter;
        this.options = options;
        this.rocks = rocks;
        this.writeOptions = new WriteOptions();
    }

    static OutboxDatabase open(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new ServiceException("outbox " + directory + ": expected a directory to write to, found " + e, e);
        }
        RocksDB.loadLibrary();
        LRUCache blockCache = new LRUCache(BLOCK_CACHE_BYTES, BLOCK_CACHE_SHARD_BITS);
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
        OutboxDatabase database = new OutboxDatabase(directory, blockCache, bloomFilter, options, rocks);
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
                .setMaxWriteBufferNumber(3)
                .setMaxTotalWalSize(4 * WRITE_BUFFER_BYTES)
                .setMaxOpenFiles(128)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(blockCache)
                        .setIndexType(IndexType.kTwoLevelIndexSearch)
                        .setPartitionFilters(true)
                        .setCacheIndexAndFilterBlocks(true)
                        .setPinTopLevelIndexAndFilter(true)
                        .setFilterPolicy(bloomFilter));
    }

    private static ServiceException openFailure(Path directory, RocksDBException e) {
        String reason = String.valueOf(e.getMessage());
        if (reason.toLowerCase(Locale.ROOT).contains("lock")) {
            return new ServiceException(
                    "outbox " + directory
                            + ": in use by another process; stop it, or give this one a directory of its own",
                    e);
        }
        return new ServiceException("outbox " + directory + ": cannot be opened: " + reason, e);
    }

    private void checkFormat() {
        Optional<byte[]> format = find(OutboxKeys.FORMAT);
        boolean lacksCases = format.isPresent() && format.get()[0] == FORMAT_WITHOUT_CASES;
        if (lacksCases || (format.isEmpty() && isEmpty())) {
            write(batch -> batch.put(OutboxKeys.FORMAT, new byte[] {FORMAT_VERSION}));
            return;
        }
        String found = format.map(value -> String.valueOf(value[0])).orElse("none");
        if (!found.equals(String.valueOf(FORMAT_VERSION))) {
            throw new ServiceException("outbox " + directory + ": expected format " + FORMAT_VERSION + ", found "
                    + found + "; start the version of Vigil that wrote it, or give this one an empty directory");
        }
    }

    private boolean isEmpty() {
        try (RocksIterator iterator = rocks.newIterator()) {
            iterator.seekToFirst();
            return !iterator.isValid();
        }
    }

    Optional<byte[]> find(byte[] key) {
        checkOpen();
        try {
            return Optional.ofNullable(rocks.get(key));
        } catch (RocksDBException e) {
            throw failure("read", e);
        }
    }

    /** All of it or nothing. */
    void write(Changes changes) {
        checkOpen();
        try (WriteBatch batch = new WriteBatch()) {
            changes.addTo(batch);
            rocks.write(writeOptions, batch);
        } catch (RocksDBException e) {
            throw failure("written", e);
        }
    }

    /** Keys from {@code from}, included, to {@code end}, not included. */
    Scan scan(byte[] from, byte[] end) {
        checkOpen();
        return new Scan(from, end);
    }

    /** A range of keys in order; holds a view of the database as it was when the scan began. */
    final class Scan implements AutoCloseable {
        private final Slice end;
        private final ReadOptions readOptions;
        private final RocksIterator iterator;

        private Scan(byte[] from, byte[] endKey) {
            this.end = new Slice(endKey);
            this.readOptions = new ReadOptions().setIterateUpperBound(end);
            this.iterator = rocks.newIterator(readOptions);
            iterator.seek(from);
        }

        RocksIterator at() {
            return iterator;
        }

        /** An iterator that met an error ends like one that met the range's end: ask before believing it. */
        void check() {
            try {
                iterator.status();
            } catch (RocksDBException e) {
                throw failure("read", e);
            }
        }

        @Override
        public void close() {
            iterator.close();
            readOptions.close();
            end.close();
        }
    }

    private ServiceException failure(String what, RocksDBException e) {
        return new ServiceException("outbox " + directory + ": cannot be " + what + ": " + e.getMessage(), e);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("outbox " + directory + " is closed");
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        writeOptions.close();
        rocks.close();
        options.close();
        bloomFilter.close();
        blockCache.close();
    }
}
