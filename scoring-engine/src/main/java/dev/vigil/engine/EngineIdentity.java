package dev.vigil.engine;

import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A name that belongs to an engine's data directory. With it the consumer group takes an engine that was killed for the
 * same one when it comes back, and gives it its partitions at once instead of waiting for the dead one to time out.
 */
public final class EngineIdentity {
    private static final String FILE = "engine-id";

    private EngineIdentity() {}

    /**
     * Reads the name, or makes one up on the first start.
     *
     * @throws ServiceException if the directory cannot be created, read or written
     */
    public static String of(Path dataDirectory) {
        Path file = dataDirectory.resolve(FILE);
        try {
            Files.createDirectories(dataDirectory);
            if (!Files.exists(file)) {
                Path partial = dataDirectory.resolve(FILE + ".partial");
                Files.writeString(partial, UUID.randomUUID().toString(), StandardCharsets.UTF_8);
                Files.move(partial, file);
            }
            return Files.readString(file, StandardCharsets.UTF_8).trim();
        } catch (IOException e) {
            throw new ServiceException("data directory " + dataDirectory + " cannot be used: " + e, e);
        }
    }
}
