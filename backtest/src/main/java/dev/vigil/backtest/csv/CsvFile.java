package dev.vigil.backtest.csv;

import dev.vigil.backtest.csv.CsvMapping.Column;
import dev.vigil.service.ServiceException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** A CSV file with a header, plain or gzip (told by its first bytes). */
final class CsvFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;
    private final long fileBytes;
    private final CountingStream raw;
    private final CsvReader reader;
    private final Map<String, Integer> columns = new LinkedHashMap<>();

    /** @throws ServiceException if the file cannot be read or has no header that names each column once */
    CsvFile(Path file, char delimiter) {
        this.file = file;
        try {
            raw = new CountingStream(Files.newInputStream(file));
            reader = new CsvReader(decompressed(raw), delimiter);
            fileBytes = Files.size(file);
        } catch (NoSuchFileException e) {
            throw new ServiceException(file + ": no such file", e);
        } catch (IOException e) {
            throw new ServiceException(file + ": cannot be read: " + reason(e), e);
        }
        try {
            readHeader();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static InputStream decompressed(InputStream raw) throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(raw, BUFFER_BYTES);
        try {
            buffered.mark(2);
            boolean gzip = buffered.read() == 0x1f && buffered.read() == 0x8b;
            buffered.reset();
            return gzip ? new GZIPInputStream(buffered, BUFFER_BYTES) : buffered;
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    private void readHeader() {
        if (!next()) {
            throw new ServiceException(file + ": expected a header that names the columns, found nothing");
        }
        if (reader.problem() != null) {
            throw new ServiceException(file + ":" + reader.line() + ": the header: " + reader.problem());
        }
        for (int i = 0; i < reader.size(); i++) {
            String name = reader.text(i).strip();
            if (columns.put(name, i) != null) {
                throw new ServiceException(
                        file + ":" + reader.line() + ": the header names column '" + name + "' twice");
            }
        }
    }

    /**
     * Where a column stands.
     *
     * @throws dev.vigil.config.ConfigException at the mapping's place, with the nearest name, if there is none
     */
    int indexOf(Column column) {
        Integer index = columns.get(column.name());
        if (index == null) {
            throw column.place().unknown(file.getFileName() + " has no column", column.name(), columns.keySet());
        }
        return index;
    }

    boolean has(Column column) {
        return columns.containsKey(column.name());
    }

    int columnCount() {
        return columns.size();
    }

    /** Goes to the next row; false at the end. */
    boolean next() {
        try {
            return reader.next();
        } catch (EOFException e) {
            throw new ServiceException(file + ": is cut off after line " + reader.line(), e);
        } catch (IOException e) {
            throw new ServiceException(file + ": cannot be read on after line " + reader.line() + ": " + reason(e), e);
        }
    }

    private static String reason(IOException e) {
        return e instanceof ZipException ? "the gzip data is damaged" : String.valueOf(e.getMessage());
    }

    CsvReader row() {
        return reader;
    }

    /** Share of the file that was read, from 0 to 1. */
    double progress() {
        return fileBytes == 0 ? 1 : Math.min(1, (double) raw.bytes / fileBytes);
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException e) {
            throw new ServiceException(file + ": cannot be closed: " + e.getMessage(), e);
        }
    }

    private static final class CountingStream extends FilterInputStream {
        private long bytes;

        CountingStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            bytes += read < 0 ? 0 : 1;
            return read;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = super.read(target, offset, length);
            bytes += Math.max(read, 0);
            return read;
        }
    }
}
