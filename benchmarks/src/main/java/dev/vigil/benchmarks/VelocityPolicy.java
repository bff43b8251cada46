package dev.vigil.benchmarks;

import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The policy of {@code velocity.yaml}. */
final class VelocityPolicy {
    private static final String FILE = "velocity.yaml";

    private VelocityPolicy() {}

    static Policy read() {
        try (InputStream in = Objects.requireNonNull(VelocityPolicy.class.getResourceAsStream(FILE))) {
            return Policies.check(FILE, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
