package dev.vigil.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import dev.vigil.engine.checkpoint.CheckpointTarget.Bucket;
import dev.vigil.engine.checkpoint.CheckpointTarget.Credentials;
import dev.vigil.engine.checkpoint.CheckpointTarget.Directory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineConfigTest {
    private static final Path DATA = Path.of("data");
    private static final long MIB = 1 << 20;

    private static EngineConfig read(String yaml) {
        return EngineConfig.from(ConfigDocument.parse("vigil.yaml", yaml).require("scoring"), DATA);
    }

    @Test
    void defaults() {
        assertThat(read("scoring: {}"))
                .isEqualTo(EngineConfig.defaults(DATA))
                .isEqualTo(new EngineConfig(
                        2,
                        1_000,
                        3_000_000,
                        64 * MIB,
                        64 * MIB,
                        Duration.ofMinutes(1),
                        3,
                        new Directory(Path.of("data/checkpoints")),
                        Duration.ofSeconds(30),
                        null,
                        true,
                        false));
    }

    @Test
    void explicitPropertyMappings() {
        assertThat(read(String.join(
                        "\n",
                        "scoring:",
                        "  threads: 4",
                        "  max-poll-records: 500",
                        "  max-live-events: 20000",
                        "  block-cache-mib: 32",
                        "  write-buffer-mib: 16",
                        "  checkpoint: {interval: 10s, retain: 5, storage: 'file:/mnt/checkpoints'}",
                        "  idle-after: 5s",
                        "  schema-records: false",
                        "  accept-gap: true")))
                .isEqualTo(new EngineConfig(
                        4,
                        500,
                        20_000,
                        32 * MIB,
                        16 * MIB,
                        Duration.ofSeconds(10),
                        5,
                        new Directory(Path.of("/mnt/checkpoints")),
                        Duration.ofSeconds(5),
                        null,
                        false,
                        true));
    }

    @Test
    void shouldNameTheKeyThatAnUnknownOneMostLikelyMeans() {
        assertThatThrownBy(() -> read("scoring:\n  thread: 2"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("vigil.yaml:2:3: scoring.thread: unknown key 'thread', did you mean 'threads'?");
    }

    @Test
    void shouldRefuseValuesThatCannotBeMeant() {
        assertThatThrownBy(() -> read("scoring: {threads: 0}"))
                .hasMessageContaining("scoring.threads: expected an integer from 1 to 64, found '0'");
        assertThatThrownBy(() -> read("scoring: {idle-after: 0s}"))
                .hasMessageContaining("scoring.idle-after: expected 1s or more, found '0s'");
        assertThatThrownBy(() -> read("scoring: {checkpoint: {interval: 10ms}}"))
                .hasMessageContaining("scoring.checkpoint.interval: expected 1s or more");
        assertThatThrownBy(() -> read("scoring: {checkpoint: {storage: 's3:bucket'}}"))
                .hasMessage(
                        "vigil.yaml:1:33: scoring.checkpoint.storage: expected file:DIRECTORY or s3://BUCKET/PREFIX,"
                                + " found 's3:bucket'");
        assertThatThrownBy(() -> read("scoring: {checkpoint: {storage: 'file:/c', s3: {}}}"))
                .hasMessageContaining("scoring.checkpoint.s3: is for storage s3://BUCKET/PREFIX");
        assertThatThrownBy(() -> read("scoring: {checkpoint: {storage: 's3://bucket', s3: {secret-key: hush}}}"))
                .hasMessageContaining("expected access-key and secret-key together")
                .message()
                .doesNotContain("hush");
        assertThatThrownBy(() -> read("scoring: {checkpoint: {storage: 's3://bucket', s3: {endpoint: localhost}}}"))
                .hasMessageContaining("scoring.checkpoint.s3.endpoint: expected http://HOST:PORT or https://HOST");
    }

    @Test
    void shouldReadWhereInS3CheckpointsGoAndShowNoSecret() {
        EngineConfig config = read(String.join(
                "\n",
                "scoring:",
                "  checkpoint:",
                "    storage: s3://some-bucket/vigil/checkpoints/",
                "    s3: {endpoint: 'http://localhost:9000', region: eu-1, path-style: true, access-key: me,",
                "      secret-key: hush}"));
        assertThat(config.checkpointTarget())
                .isEqualTo(new Bucket(
                        "some-bucket",
                        "vigil/checkpoints",
                        Optional.of(URI.create("http://localhost:9000")),
                        Optional.of("eu-1"),
                        true,
                        Optional.of(new Credentials("me", "hush"))));
        assertThat(config.toString()).contains("some-bucket").doesNotContain("hush");
        assertThat(read("scoring: {checkpoint: {storage: 's3://some-bucket'}}").checkpointTarget())
                .isEqualTo(new Bucket("some-bucket", "", Optional.empty(), Optional.empty(), false, Optional.empty()));
    }
}
