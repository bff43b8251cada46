package dev.vigil.cdc.debezium;

import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.embedded.EmbeddedKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** One broker and one database for all tests of this module; each test keeps to a schema and topics of its own. */
final class Servers {

    private static final Path DIRECTORY = createDirectory();
    private static final EmbeddedKafka KAFKA = EmbeddedKafka.start(DIRECTORY.resolve("kafka"));
    private static final EmbeddedDatabase DATABASE = EmbeddedDatabase.start(DIRECTORY.resolve("postgresql"));

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Servers::stop, "test-servers-stop"));
    }

    private Servers() {}

    static EmbeddedKafka kafka() {
        return KAFKA;
    }

    static EmbeddedDatabase database() {
        return DATABASE;
    }

    private static Path createDirectory() {
        try {
            return Files.createTempDirectory("vigil-cdc-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void stop() {
        DATABASE.close();
        KAFKA.close();
        try (Stream<Path> paths = Files.walk(DIRECTORY)) {
            paths.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
