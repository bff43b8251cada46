package dev.vigil.lakehouse.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/**
 * Table files in a local file system, without Hadoop. Locations are {@code file:} and an absolute path, unescaped, or the
 * path alone. A new file never replaces one of the same name, and its bytes are on the disk when it is closed, so that a
 * snapshot never names a file that a power failure took away. Public for Iceberg, which creates it by its name.
 */
public final class LocalFileIO implements DelegateFileIO {
    private static final long serialVersionUID = 1L;
    private static final String SCHEME = "file:";

    public LocalFileIO() {}

    /** @throws IllegalArgumentException for another scheme than {@code file:} */
    static Path path(String location) {
        if (location.startsWith(SCHEME)) {
            String rest = location.substring(SCHEME.length());
            return Path.of(rest.startsWith("//") ? rest.substring(2) : rest);
        }
        if (location.contains("://")) {
            throw new IllegalArgumentException("expected a local file, found " + location);
        }
        return Path.of(location);
    }

    static boolean isLocal(String location) {
        return location.startsWith(SCHEME) || !location.contains("://");
    }

    static String location(Path path) {
        return SCHEME + path.toAbsolutePath().normalize();
    }

    @Override
    public InputFile newInputFile(String location) {
        return new LocalInputFile(location);
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return new LocalOutputFile(location);
    }

    @Override
    public void deleteFile(String location) {
        try {
            Files.delete(path(location));
        } catch (NoSuchFileException e) {
            throw new NotFoundException(e, "no such file: %s", location);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void deleteFiles(Iterable<String> locations) {
        locations.forEach(this::deleteFile);
    }

    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        Path root = path(prefix);
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).map(LocalFileIO::info).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileInfo info(Path file) {
        try {
            return new FileInfo(
                    location(file),
                    Files.size(file),
                    Files.getLastModifiedTime(file).toMillis());
        } catch (IOException e) {
            throw new RuntimeIOException(e);
        }
    }

    @Override
    public void deletePrefix(String prefix) {
        listPrefix(prefix).forEach(file -> deleteFile(file.location()));
    }
}
