package dev.vigil.cdc.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Files of a store that is closed, to be damaged. */
public final class StoreLog {

    private StoreLog() {}

    /** The log of what was written last. */
    public static Path newest(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.comparing(Path::getFileName))
                    .orElseThrow();
        }
    }

    static void copy(Path store, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(store)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }
}
