package dev.vigil.lakehouse.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;

/**
 * Data files of one batch, at most a given number of them open at a time. Rows gather in a buffer and are written by
 * partition, sorted within it: so rows of many days in wild order (a back-fill) cost one file per day and buffer instead
 * of one per row, and rows of an account lie together. One thread.
 */
final class PartitionedFiles {
    private static final int BUFFER_ROWS = 10_000;

    private final Table table;
    private final int maxOpen;
    private final Comparator<Record> order;
    private final GenericFileWriterFactory writers;
    private final OutputFileFactory names;
    private final PartitionKey key;
    private final InternalRecordWrapper wrapper;

    private final Map<PartitionKey, List<Record>> buffer = new LinkedHashMap<>();
    private int bufferedRows;
    /** Least recently written first. */
    private final LinkedHashMap<PartitionKey, DataWriter<Record>> open = new LinkedHashMap<>(16, 0.75f, true);

    private final List<DataFile> complete = new ArrayList<>();

    PartitionedFiles(Table table, int maxOpen, Comparator<Record> order) {
        this.table = table;
        this.maxOpen = maxOpen;
        this.order = order;
        this.writers = new GenericFileWriterFactory.Builder(table)
                .dataFileFormat(FileFormat.PARQUET)
                .build();
        this.names = OutputFileFactory.builderFor(table, 0, 0)
                .operationId(UUID.randomUUID().toString())
                .format(FileFormat.PARQUET)
                .build();
        this.key = new PartitionKey(table.spec(), table.schema());
        this.wrapper = new InternalRecordWrapper(table.schema().asStruct());
    }

    void write(Record row) {
        key.partition(wrapper.wrap(row));
        List<Record> rows = buffer.get(key);
        if (rows == null) {
            rows = new ArrayList<>();
            buffer.put(key.copy(), rows);
        }
        rows.add(row);
        if (++bufferedRows >= BUFFER_ROWS) {
            writeBuffer();
        }
    }

    /** Closes every file. @return the files of the batch; complete and safe on disk */
    List<DataFile> complete() {
        writeBuffer();
        while (!open.isEmpty()) {
            closeOldest();
        }
        return List.copyOf(complete);
    }

    private void writeBuffer() {
        buffer.forEach((partition, rows) -> {
            rows.sort(order);
            DataWriter<Record> writer = writerFor(partition);
            rows.forEach(writer::write);
        });
        buffer.clear();
        bufferedRows = 0;
    }

    private DataWriter<Record> writerFor(PartitionKey partition) {
        DataWriter<Record> writer = open.get(partition);
        if (writer == null) {
            if (open.size() >= maxOpen) {
                closeOldest();
            }
            writer = writers.newDataWriter(names.newOutputFile(table.spec(), partition), table.spec(), partition);
            open.put(partition, writer);
        }
        return writer;
    }

    private void closeOldest() {
        Iterator<DataWriter<Record>> oldestFirst = open.values().iterator();
        DataWriter<Record> writer = oldestFirst.next();
        oldestFirst.remove();
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        complete.add(writer.toDataFile());
    }

    /**
     * Releases what is open. Files stay where they are, named by no snapshot: whether a commit in doubt named them is not
     * for this class to guess.
     */
    void abandon() {
        buffer.clear();
        bufferedRows = 0;
        for (DataWriter<Record> writer : open.values()) {
            closeQuietly(writer);
        }
        open.clear();
    }

    private static void closeQuietly(DataWriter<Record> writer) {
        try {
            writer.close();
        } catch (IOException | RuntimeException e) {
            org.slf4j.LoggerFactory.getLogger(PartitionedFiles.class).debug("an abandoned file does not close", e);
        }
    }
}
