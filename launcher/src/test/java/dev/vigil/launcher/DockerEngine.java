package dev.vigil.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/** Whether this machine has a Docker engine. Looks for its address first, since asking takes seconds and logs errors. */
final class DockerEngine {
    static final String CONDITION = "dev.vigil.launcher.DockerEngine#isFound";
    static final String MISSING = "no Docker engine found: the contract is held by the embedded server alone";

    private DockerEngine() {}

    static boolean isFound() {
        return hasAddress() && DockerClientFactory.instance().isDockerAvailable();
    }

    private static boolean hasAddress() {
        return System.getenv("DOCKER_HOST") != null
                || Stream.of(
                                Path.of("/var/run/docker.sock"),
                                below(System.getProperty("user.home"), ".docker/run/docker.sock"),
                                below(System.getenv("XDG_RUNTIME_DIR"), "docker.sock"))
                        .anyMatch(socket -> socket != null && Files.exists(socket));
    }

    private static @Nullable Path below(@Nullable String folder, String name) {
        return folder == null ? null : Path.of(folder, name);
    }
}
