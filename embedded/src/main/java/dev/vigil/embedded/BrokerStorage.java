package dev.vigil.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;

/** The broker's log directory: formatted on first use, kept afterwards. */
final class BrokerStorage {

    private BrokerStorage() {}

    /** The log directory below the data directory, formatted for KRaft. */
    static Path prepare(Path dataDirectory) {
        Path logDirectory = dataDirectory.resolve("log");
        try {
            Files.createDirectories(logDirectory);
        } catch (IOException e) {
            throw new EmbeddedStartException(
                    "Kafka: expected a writable data directory " + dataDirectory + ", found: " + e, e);
        }
        if (!Files.isWritable(logDirectory)) {
            throw new EmbeddedStartException(
                    "Kafka: expected a writable data directory, found " + logDirectory + " not writable");
        }
        if (!Files.exists(logDirectory.resolve("meta.properties"))) {
            format(logDirectory);
        }
        return logDirectory;
    }

    private static void format(Path logDirectory) {
        PrintStream quiet = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
        try {
            new Formatter()
                    .setPrintStream(quiet)
                    .setClusterId(Uuid.randomUuid().toString())
                    .setNodeId(BrokerSettings.NODE_ID)
                    .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
                    .setMetadataLogDirectory(logDirectory.toString())
                    .addDirectory(logDirectory.toString())
                    .run();
        } catch (Exception e) { // the signature says Exception
            throw new EmbeddedStartException("Kafka: cannot format " + logDirectory + ": " + e.getMessage(), e);
        }
    }
}
