package dev.vigil.engine.rocksdb;

import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.StateStore;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Checkpoint;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A task's state in one RocksDB with one column family. A step is one write batch; the write-ahead log is on and not
 * synced, so what was written survives the process, and after a power cut the state is that of an earlier step.
 */
public final class RocksDbStateStore implements StateStore {
    private static final long MEMTABLE_BYTES = 16L << 20;

    private final Options options;
    private final BloomFilter bloomFilter;
    private final WriteOptions writeOptions;
    private final RocksDB db;

    private RocksDbStateStore(Options options, BloomFilter bloomFilter, RocksDB db) {
        this.options = options;
        this.bloomFilter = bloomFilter;
        this.writeOptions = new WriteOptions();
        this.db = db;
    }

    /**
     * Opens the store in the directory, empty if there is none.
     *
     * @throws CorruptStoreException if what is there cannot be opened
     */
    public static RocksDbStateStore open(Path directory, RocksDbResources resources) throws CorruptStoreException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new ServiceException("state directory " + directory + " cannot be created: " + e.getMessage(), e);
        }
        BloomFilter bloomFilter = new BloomFilter(10);
        Options options = options(resources, bloomFilter);
        try {
            return new RocksDbStateStore(options, bloomFilter, RocksDB.open(options, directory.toString()));
        } catch (RocksDBException e) {
            options.close();
            bloomFilter.close();
            throw new CorruptStoreException("state in " + directory + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private static Options options(RocksDbResources resources, BloomFilter bloomFilter) {
        return new Options()
                .setCreateIfMissing(true)
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
        try {
            return db.get(key);
        } catch (RocksDBException e) {
            throw new StateAccessException("reading state failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void write(StateBatch step) {
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
            throw new StateAccessException("writing state failed: " + e.getMessage(), e);
        }
    }

    /**
     * Makes a copy of some step's state in a directory that does not exist yet, out of hard links where it can. Safe
     * beside the task's thread.
     */
    public void copyTo(Path directory) {
        try (Checkpoint checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(directory.toString());
        } catch (RocksDBException e) {
            throw new StateAccessException("checkpoint of state failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        db.close();
        writeOptions.close();
        options.close();
        bloomFilter.close();
    }
}
