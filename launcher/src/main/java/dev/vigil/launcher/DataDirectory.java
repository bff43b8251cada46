package dev.vigil.launcher;

import dev.vigil.config.FileTrouble;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * The directory that a process keeps its data in: writable, of a format that this version knows, and each service's part
 * of it in use by one process only. The operating system gives it free when the process ends, however it ends.
 */
final class DataDirectory implements AutoCloseable {
    /** Rises when a version could not read what an earlier one wrote. */
    static final int FORMAT = 1;

    private static final String FORMAT_FILE = "FORMAT";

    private final Path path;
    private final List<FileChannel> locks = new ArrayList<>();

    private DataDirectory(Path path) {
        this.path = path;
    }

    /** @throws ServiceException if it cannot be written, has another format, or a part of it is in use */
    static DataDirectory open(Path path, EnumSet<ServiceName> services) {
        DataDirectory directory = new DataDirectory(path);
        try {
            directory.requireFormat();
            for (ServiceName service : services) {
                directory.lock(service);
            }
            return directory;
        } catch (IOException e) {
            directory.close();
            throw new ServiceException("data directory " + path + " cannot be written: " + why(e), e);
        } catch (RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /** What cannot be created is not there: that alone would not say why. */
    private static String why(IOException e) {
        return e instanceof NoSuchFileException ? "no directory can be created there" : FileTrouble.of(e);
    }

    private void requireFormat() throws IOException {
        Files.createDirectories(path);
        Path file = path.resolve(FORMAT_FILE);
        if (!Files.exists(file)) {
            WholeFile.write(file, FORMAT + "\n");
            return;
        }
        String found = Files.readString(file).strip();
        if (!found.equals(Integer.toString(FORMAT))) {
            throw new ServiceException("data directory " + path + ": expected format " + FORMAT + ", found "
                    + (found.length() > 20 ? "something else" : found)
                    + "; use the Vigil version that wrote it, or another directory");
        }
    }

    private void lock(ServiceName service) throws IOException {
        Path folder = path.resolve(service.label());
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve("in-use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        locks.add(channel);
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw new ServiceException("data directory " + path + ": its part for " + service.label()
                    + " is in use by another process; stop that one, or give this one another directory");
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        for (FileChannel channel : locks) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new ServiceException("data directory " + path + " cannot be released: " + FileTrouble.of(e), e);
            }
        }
    }
}
