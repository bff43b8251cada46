package dev.vigil.engine.rocksdb;

import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.StateStore;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Checkpoint;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Slice;
import org.rocksdb.SstFileReader;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's state in one RocksDB with one column family. A step is one write batch; the write-ahead log is on and not
 * synced, so what was written survives the process, and after a power cut the state is that of an earlier step.
 *
 * <p>Damage that shows only when a block is read is remembered in the directory, so that the next opening refuses it.
 */
public final class RocksDbStateStore implements StateStore {
    private static final Logger LOG = LoggerFactory.getLogger(RocksDbStateStore.class);
    private static final long MEMTABLE_BYTES = 16L << 20;
    private static final String DAMAGED = "DAMAGED";

    private final Path directory;
    private final Options options;
    private final BloomFilter bloomFilter;
    private final WriteOptions writeOptions;
    private final RocksDB db;
    private volatile @Nullable String damage;
    private volatile boolean closed;

    private RocksDbStateStore(Path directory, Options options, BloomFilter bloomFilter, RocksDB db) {
        this.directory = directory;
        this.options = options;
        this.bloomFilter = bloomFilter;
        this.writeOptions = new WriteOptions();
        this.db = db;
    }

    private interface Opening {
        RocksDB open(Options options, String directory) throws RocksDBException;
    }

    /**
     * Opens the store in the directory; a new one if the directory is empty or not there.
     *
     * @throws CorruptStoreException if what is there is damaged
     * @throws StateAccessException if it cannot be opened now: another store has it open, the disk is full or refuses
     * @throws ServiceException if the directory cannot be created
     */
    public static RocksDbStateStore open(Path directory, RocksDbResources resources) throws CorruptStoreException {
        boolean isNew;
        try {
            Files.createDirectories(directory);
            try (Stream<Path> files = Files.list(directory)) {
                isNew = files.findAny().isEmpty();
            }
        } catch (IOException e) {
            throw new ServiceException("state directory " + directory + " cannot be used: " + e, e);
        }
        if (Files.exists(directory.resolve(DAMAGED))) {
            throw new CorruptStoreException("state in " + directory + " is damaged, as a read of it showed", null);
        }
        // Never created where other files are: an empty state would take the place of a damaged one.
        return open(directory, resources, isNew, RocksDB::open);
    }

    /** Opens a store that nothing else uses, to look at it. Leaves its data as they are. */
    public static RocksDbStateStore openReadOnly(Path directory, RocksDbResources resources)
            throws CorruptStoreException {
        return open(directory, resources, false, RocksDB::openReadOnly);
    }

    private static RocksDbStateStore open(Path directory, RocksDbResources resources, boolean create, Opening opening)
            throws CorruptStoreException {
        BloomFilter bloomFilter = new BloomFilter(10);
        Options options = options(resources, bloomFilter).setCreateIfMissing(create);
        try {
            RocksDB db = opening.open(options, directory.toString());
            return new RocksDbStateStore(directory, options, bloomFilter, db);
        } catch (RocksDBException e) {
            options.close();
            bloomFilter.close();
            String message = "state in " + directory + " cannot be opened: " + e.getMessage();
            if (isDamage(e)) {
                throw new CorruptStoreException(message, e);
            }
            throw new StateAccessException(message, e);
        }
    }

    /** Whether the files are not what they should be, rather than out of reach for now. */
    private static boolean isDamage(RocksDBException e) {
        Status status = e.getStatus();
        if (status == null) {
            return false;
        }
        return switch (status.getCode()) {
            case Corruption, InvalidArgument, NotFound, NotSupported -> true;
            default -> String.valueOf(e.getMessage()).contains("No such file");
        };
    }

    private static Options options(RocksDbResources resources, BloomFilter bloomFilter) {
        return new Options()
                .setWriteBufferManager(resources.writeBuffers())
                .setWriteBufferSize(MEMTABLE_BYTES)
                .setMaxBackgroundJobs(2)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setLevelCompactionDynamicLevelBytes(true)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setMaxManifestFileSize(4L << 20)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(resources.blockCache())
                        .setBlockSize(8 << 10)
                        .setFilterPolicy(bloomFilter)
                        .setCacheIndexAndFilterBlocks(true)
                        .setPinL0FilterAndIndexBlocksInCache(true));
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        requireOpen();
        try {
            return db.get(key);
        } catch (RocksDBException e) {
            throw failure("reading state failed: ", e);
        }
    }

    @Override
    public void write(StateBatch step) {
        requireOpen();
        requireSound();
        try (WriteBatch batch = new WriteBatch()) {
            for (StateBatch.Entry entry : step.entries()) {
                byte[] value = entry.value();
                if (value == null) {
                    batch.delete(entry.key());
                } else {
                    batch.put(entry.key(), value);
                }
            }
            db.write(writeOptions, batch);
        } catch (RocksDBException e) {
            throw failure("writing state failed: ", e);
        }
    }

    @Override
    public List<byte[]> keys(byte[] after, byte[] before, int limit) {
        requireOpen();
        List<byte[]> keys = new ArrayList<>();
        try (Slice end = new Slice(before);
                ReadOptions upToEnd = new ReadOptions().setIterateUpperBound(end);
                RocksIterator each = db.newIterator(upToEnd)) {
            each.seek(after);
            if (each.isValid() && Arrays.equals(each.key(), after)) {
                each.next();
            }
            while (keys.size() < limit && each.isValid()) {
                keys.add(each.key());
                each.next();
            }
            each.status();
        } catch (RocksDBException e) {
            throw failure("reading state failed: ", e);
        }
        return keys;
    }

    /** RocksDB itself would go on with memory that is no longer its own. */
    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the store in " + directory + " is closed");
        }
    }

    private StateAccessException failure(String what, RocksDBException e) {
        if (isDamage(e)) {
            condemn(String.valueOf(e.getMessage()));
        }
        return new StateAccessException(what + e.getMessage(), e);
    }

    /** Takes the store for damaged: it is written no more, and not opened again once it is closed. Any thread. */
    public void condemn(String why) {
        damage = why;
        try {
            Files.writeString(directory.resolve(DAMAGED), why);
        } catch (IOException unwritable) {
            LOG.warn("{}: cannot be marked as damaged: {}", directory, unwritable.toString());
        }
    }

    /** @throws StateAccessException if the store was found to be damaged; the caller closes it */
    public void requireSound() {
        String why = damage;
        if (why != null) {
            throw new StateAccessException("state in " + directory + " is damaged: " + why, null);
        }
    }

    /**
     * Makes a copy of some step's state in a directory that does not exist yet, out of hard links where it can. Safe
     * beside the task's thread.
     */
    public void copyTo(Path target) {
        requireOpen();
        try (Checkpoint checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(target.toString());
        } catch (RocksDBException e) {
            throw failure("checkpoint of state failed: ", e);
        }
    }

    /** Reads every block of every file. @throws CorruptStoreException if one differs from its checksum */
    public void verify() throws CorruptStoreException {
        requireOpen();
        try {
            db.verifyChecksum();
        } catch (RocksDBException e) {
            throw new CorruptStoreException("state is damaged: " + e.getMessage(), e);
        }
    }

    /**
     * Reads every block of a file that RocksDB never changes again.
     *
     * @throws CorruptStoreException if one differs from its checksum, or the file is none of a store
     */
    public static void verifyTable(Path file) throws CorruptStoreException {
        try (Options options = new Options().setTableFormatConfig(new BlockBasedTableConfig().setNoBlockCache(true));
                SstFileReader reader = new SstFileReader(options)) {
            reader.open(file.toString());
            reader.verifyChecksum();
        } catch (RocksDBException e) {
            if (isDamage(e)) {
                throw new CorruptStoreException(file.getFileName() + " is damaged: " + e.getMessage(), e);
            }
            throw new StateAccessException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Whether nothing of the store is left in native memory but what all stores share. */
    boolean isReleased() {
        return Stream.of(db, writeOptions, options, bloomFilter).noneMatch(RocksObject::isOwningHandle);
    }

    @Override
    public void close() {
        closed = true;
        db.close();
        writeOptions.close();
        options.close();
        bloomFilter.close();
    }
}
