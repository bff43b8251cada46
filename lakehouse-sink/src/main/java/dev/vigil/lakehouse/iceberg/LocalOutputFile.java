package dev.vigil.lakehouse.iceberg;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/** A file of {@link LocalFileIO} to write. */
record LocalOutputFile(String location) implements OutputFile {
    private static final int BUFFER_BYTES = 64 * 1024;

    @Override
    public PositionOutputStream create() {
        return open(StandardOpenOption.CREATE_NEW);
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
        return open(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    private PositionOutputStream open(StandardOpenOption... how) {
        Path path = LocalFileIO.path(location);
        StandardOpenOption[] options = java.util.Arrays.copyOf(how, how.length + 1);
        options[how.length] = StandardOpenOption.WRITE;
        try {
            Files.createDirectories(path.getParent());
            return new Stream(FileChannel.open(path, options));
        } catch (FileAlreadyExistsException e) {
            throw new AlreadyExistsException(e, "file exists already: %s", location);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public InputFile toInputFile() {
        return new LocalInputFile(location);
    }

    private static final class Stream extends PositionOutputStream {
        private final FileChannel channel;
        private final OutputStream out;
        private long position;

        Stream(FileChannel channel) {
            this.channel = channel;
            this.out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            position++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            position += length;
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            if (channel.isOpen()) {
                try (channel) {
                    out.flush();
                    channel.force(true);
                }
            }
        }
    }
}
