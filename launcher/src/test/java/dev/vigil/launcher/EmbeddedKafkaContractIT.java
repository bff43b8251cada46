package dev.vigil.launcher;

import dev.vigil.embedded.EmbeddedKafka;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedKafkaContractIT extends KafkaContract {
    @TempDir
    static Path directory;

    private static EmbeddedKafka kafka;

    @BeforeAll
    static void start() {
        kafka = EmbeddedKafka.start(directory);
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @Override
    String bootstrapServers() {
        return kafka.bootstrapServers();
    }
}
