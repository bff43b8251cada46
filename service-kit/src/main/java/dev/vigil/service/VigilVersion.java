package dev.vigil.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The version of this build, as the build wrote it beside the classes. */
public final class VigilVersion {
    private static final String RESOURCE = "/dev/vigil/service/version.txt";

    private VigilVersion() {}

    /** Such as {@code 0.1.0}. */
    public static String current() {
        try (InputStream in = VigilVersion.class.getResourceAsStream(RESOURCE)) {
            return new String(Objects.requireNonNull(in, RESOURCE).readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
