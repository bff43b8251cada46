package dev.vigil.alerting;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Published Standard Webhooks test vectors, where the shared data are present. */
public final class WebhookVectors {
    private WebhookVectors() {}

    /** Skips the test with the reason where they are not. */
    public static JsonNode load() {
        Path shared = Optional.ofNullable(System.getenv("VIGIL_SHARED_DATA"))
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("vigil.repository", ".."), "..", "shared", "data"));
        Path vectors = shared.resolve("standard-webhooks").resolve("vectors.json");
        assumeTrue(Files.isRegularFile(vectors), "VIGIL_SHARED_DATA has no standard-webhooks/vectors.json");
        try {
            return Json.mapper().readTree(vectors.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
