package dev.vigil.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a data directory for one process; the operating system lets go of it when the process ends, however it ends. */
final class DirectoryLock implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DirectoryLock.class);

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    static DirectoryLock acquire(Path directory, String server) {
        FileChannel channel = null;
        try {
            Files.createDirectories(directory);
            channel = FileChannel.open(
                    directory.resolve("in-use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(channel) != null) {
                return new DirectoryLock(channel);
            }
            channel.close();
        } catch (IOException e) {
            throw new EmbeddedStartException(
                    server + ": expected a writable data directory " + directory + ", found: " + e, e);
        }
        throw new EmbeddedStartException(
                server + ": expected a data directory of its own, found " + directory + " in use by another process");
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by this JVM
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            log.warn("could not close the lock of a data directory: {}", e.toString());
        }
    }
}
