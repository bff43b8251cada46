package dev.vigil.engine.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file system of a fixed size in memory, to be filled up. Needs the right to mount. */
final class SmallDisk implements AutoCloseable {
    private static final String SIZE = "256m";

    private final Path directory;
    private final Path filler;
    private boolean unmounted;

    private SmallDisk(Path directory) {
        this.directory = directory;
        this.filler = directory.resolve("filler");
    }

    /** @return empty if this user may not mount one, or this system cannot */
    static Optional<SmallDisk> mount(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        String size = "size=" + SIZE + ",mode=700";
        boolean mounted = runs(List.of("mount", "-t", "tmpfs", "-o", size, "vigil-crash-suite", directory.toString()));
        return mounted ? Optional.of(new SmallDisk(directory)) : Optional.empty();
    }

    private static boolean runs(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Takes all the room that is left. */
    void fill() throws IOException {
        byte[] bytes = new byte[64 << 10];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(bytes);
            }
        } catch (IOException e) {
            if (!Files.exists(filler)) {
                throw e;
            }
        }
    }

    /** Gives it back. */
    void free() throws IOException {
        Files.deleteIfExists(filler);
    }

    /** Once more does no harm. */
    @Override
    public synchronized void close() {
        try {
            if (!unmounted
                    && !runs(List.of("umount", directory.toString()))
                    && !runs(List.of("umount", "--lazy", directory.toString()))) {
                System.err.println("crash-suite: " + directory + " cannot be unmounted");
            }
            unmounted = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
