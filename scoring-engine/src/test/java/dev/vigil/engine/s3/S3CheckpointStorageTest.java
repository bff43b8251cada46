package dev.vigil.engine.s3;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.engine.checkpoint.CheckpointStorage;
import dev.vigil.engine.checkpoint.CheckpointStorageContract;
import dev.vigil.engine.checkpoint.CheckpointTarget.Credentials;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Against a real server. */
class S3CheckpointStorageTest extends CheckpointStorageContract {
    private static S3Server server;

    private final CheckpointStorages storages = new CheckpointStorages(server.bucket("vigil/" + UUID.randomUUID()));

    @BeforeAll
    static void startServer() throws Exception {
        server = S3Server.start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @AfterEach
    void closeClient() {
        storages.close();
    }

    @Override
    protected CheckpointStorage storage() {
        return storages.of(1);
    }

    @Override
    protected CheckpointStorage sibling() {
        return storages.of(11);
    }

    @Test
    void shouldNameTheObjectWhenItMayNotBeWrittenAndTellNoSecret() {
        try (CheckpointStorages strangers =
                new CheckpointStorages(server.bucket("vigil", new Credentials("test-access", "hush")))) {
            assertThatThrownBy(() -> strangers.of(1).putBytes(new byte[1], "owner"))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NoSuchFileException.class)
                    .hasMessageContaining("cannot write s3://checkpoints/vigil/1/owner")
                    .message()
                    .doesNotContain("hush");
        }
    }
}
