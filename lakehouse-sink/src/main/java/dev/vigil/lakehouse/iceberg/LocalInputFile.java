package dev.vigil.lakehouse.iceberg;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** A file of {@link LocalFileIO} to read. */
record LocalInputFile(String location) implements InputFile {
    @Override
    public long getLength() {
        try {
            return Files.size(LocalFileIO.path(location));
        } catch (NoSuchFileException e) {
            throw new NotFoundException(e, "no such file: %s", location);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public SeekableInputStream newStream() {
        try {
            return new Stream(FileChannel.open(LocalFileIO.path(location), StandardOpenOption.READ));
        } catch (NoSuchFileException e) {
            throw new NotFoundException(e, "no such file: %s", location);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean exists() {
        return Files.isRegularFile(LocalFileIO.path(location));
    }

    private static final class Stream extends SeekableInputStream {
        private final FileChannel channel;
        private final ByteBuffer one = ByteBuffer.allocate(1);

        Stream(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public long getPos() throws IOException {
            return channel.position();
        }

        @Override
        public void seek(long position) throws IOException {
            if (position > channel.size()) {
                throw new EOFException("position " + position + " in a file of " + channel.size() + " bytes");
            }
            channel.position(position);
        }

        @Override
        public int read() throws IOException {
            one.clear();
            return channel.read(one) < 0 ? -1 : one.get(0) & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return length == 0 ? 0 : channel.read(ByteBuffer.wrap(bytes, offset, length));
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
