package dev.vigil.launcher;

import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** {@code policies/card-fraud.yaml}, which the build puts beside the classes. */
final class DemoPolicy {
    private static final String RESOURCE = "/dev/vigil/policies/card-fraud.yaml";

    private DemoPolicy() {}

    static Policy read() {
        try (InputStream in = DemoPolicy.class.getResourceAsStream(RESOURCE)) {
            byte[] text = Objects.requireNonNull(in, RESOURCE).readAllBytes();
            return Policies.check("policies/card-fraud.yaml", new String(text, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
