package dev.vigil.benchmarks;

import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/** The policy of {@code velocity.yaml}. */
final class VelocityPolicy {
    private static final String FILE = "velocity.yaml";

    private VelocityPolicy() {}

    static Policy read() {
        return Policies.check(FILE, text());
    }

    /** The same work with another longest window in the place of 7 days, and of 24 hours where that is longer. */
    static Policy read(Duration longest) {
        String over = "over: " + longest.toSeconds() + "s";
        String text = text().replace("over: 7d", over);
        return Policies.check(FILE, longest.toHours() < 24 ? text.replace("over: 24h", over) : text);
    }

    private static String text() {
        try (InputStream in = Objects.requireNonNull(VelocityPolicy.class.getResourceAsStream(FILE))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
