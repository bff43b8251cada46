package dev.vigil.launcher;

import dev.vigil.launcher.ComposeFile.Mount;
import dev.vigil.launcher.ComposeFile.Service;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A service of the compose file as a JVM of its own: its command and its environment, with the container's paths mapped
 * to this machine's.
 */
final class ServiceProcess implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final String name;
    private final int port;
    private final Path output;
    private final Process process;

    private ServiceProcess(String name, int port, Path output, Process process) {
        this.name = name;
        this.port = port;
        this.output = output;
        this.process = process;
    }

    /**
     * @param volumes folder that stands for the named volumes
     * @param overrides addresses of this machine in place of the containers'
     */
    static ServiceProcess start(Service service, int port, Path volumes, Map<String, String> overrides)
            throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Vigil.class.getName()));
        service.command().forEach(word -> words.add(local(service, word, volumes)));
        Path output = volumes.resolve(service.name() + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(variable -> variable.startsWith("VIGIL_"));
        builder.environment().putAll(service.environment());
        builder.environment().putAll(overrides);
        builder.environment().put("VIGIL_DATA", local(service, "/var/lib/vigil", volumes));
        builder.environment().put("VIGIL_HISTORY", local(service, "/var/lib/vigil-history", volumes));
        builder.environment().put("VIGIL_POLICY", local(service, "/etc/vigil/policies/card-fraud.yaml", volumes));
        return new ServiceProcess(service.name(), port, output, builder.start());
    }

    private static String local(Service service, String path, Path volumes) {
        Mount mount = service.mountOf(path);
        if (mount == null) {
            return path;
        }
        Path source = mount.isVolume() ? volumes.resolve(mount.source()) : Repository.file(mount.source());
        return source + path.substring(mount.target().length());
    }

    /** Whether the image's own health check says so. */
    boolean isHealthy() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new AssertionError(name + " ended with " + process.exitValue() + ":\n" + output());
        }
        Process check = new ProcessBuilder(Repository.file("deploy/healthcheck").toString(), Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return check.waitFor() == 0;
    }

    String get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path)).GET().build());
    }

    String post(String path, String contentType, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** @throws IOException if the answer is not a 2xx, so that a caller may try again */
    private String send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw new IOException(name + " answered " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    String name() {
        return name;
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    /** SIGTERM, as a container is stopped. */
    void terminate() {
        process.destroy();
    }

    /** @throws AssertionError if it runs on for longer than that */
    int awaitExit(Duration limit) throws IOException, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(name + " still runs after " + limit + ":\n" + output());
        }
        return process.exitValue();
    }

    /** By force, if it is still there. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
