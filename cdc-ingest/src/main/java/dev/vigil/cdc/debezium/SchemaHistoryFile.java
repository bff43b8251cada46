package dev.vigil.cdc.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.service.ServiceException;
import io.debezium.config.Configuration;
import io.debezium.document.DocumentReader;
import io.debezium.document.DocumentWriter;
import io.debezium.relational.history.AbstractSchemaHistory;
import io.debezium.relational.history.HistoryRecord;
import io.debezium.relational.history.HistoryRecordComparator;
import io.debezium.relational.history.SchemaHistoryException;
import io.debezium.relational.history.SchemaHistoryListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the captured tables looked like at each place of the binary log: one line of JSON per statement that changed them. A line
 * is on the disk before the changes after it are read, so that the position never gets ahead of it; a line that was cut off by
 * a crash is dropped, and comes again.
 *
 * <p>Created by the engine, by name.
 */
public final class SchemaHistoryFile extends AbstractSchemaHistory {

    static final String FILE_SETTING = "schema.history.internal.vigil.file";

    private Path file = Path.of("");

    /** @param dataDirectory of the service */
    static Path in(Path dataDirectory) {
        return dataDirectory.resolve("schema-history.jsonl");
    }

    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new ServiceException(file + ": expected to delete it, found: " + e, e);
        }
    }

    @Override
    public void configure(
            Configuration config,
            HistoryRecordComparator comparator,
            SchemaHistoryListener listener,
            boolean useCatalogBeforeSchema) {
        super.configure(config, comparator, listener, useCatalogBeforeSchema);
        file = Path.of(config.getString(FILE_SETTING));
    }

    @Override
    public void start() {
        super.start();
        try {
            dropCutOffLine();
        } catch (IOException e) {
            throw new SchemaHistoryException(file + " cannot be used: " + e, e);
        }
    }

    private void dropCutOffLine() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        if (end < bytes.length) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(end).force(true);
            }
        }
    }

    @Override
    protected void storeRecord(HistoryRecord record) {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            ByteBuffer line = UTF_8.encode(DocumentWriter.defaultWriter().write(record.document()) + "\n");
            while (line.hasRemaining()) {
                channel.write(line);
            }
            channel.force(true);
        } catch (IOException e) {
            throw new SchemaHistoryException(file + " cannot be written: " + e, e);
        }
    }

    @Override
    protected void recoverRecords(Consumer<HistoryRecord> records) {
        if (!exists()) {
            return;
        }
        try {
            List<String> lines = Files.readAllLines(file, UTF_8);
            for (String line : lines) {
                records.accept(new HistoryRecord(DocumentReader.defaultReader().read(line)));
            }
        } catch (IOException e) {
            throw new SchemaHistoryException(file + " cannot be read: " + e, e);
        }
    }

    @Override
    public boolean exists() {
        return Files.exists(file);
    }

    @Override
    public boolean storageExists() {
        return true;
    }
}
