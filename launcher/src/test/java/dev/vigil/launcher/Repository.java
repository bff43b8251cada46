package dev.vigil.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of this repository, which the tests of the deployment read as they are. */
final class Repository {
    private static final Path ROOT = Path.of(System.getProperty("vigil.repository"));

    private Repository() {}

    static Path file(String path) {
        return ROOT.resolve(path).normalize();
    }

    static String text(String path) {
        try {
            return Files.readString(file(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
