package dev.vigil.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What checkpoints need of every storage. Run by a test class for each. */
public abstract class CheckpointStorageContract {
    @TempDir
    private Path local;

    /** An empty storage, the same one throughout a test. */
    protected abstract CheckpointStorage storage() throws IOException;

    /** Another one beside it, as of another partition. */
    protected abstract CheckpointStorage sibling() throws IOException;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldGiveBackWhatWasPut() throws Exception {
        byte[] content = new byte[3 << 20];
        new java.util.Random(1).nextBytes(content);
        storage().put(Files.write(local.resolve("a"), content), "folder/with space+é/a");
        assertThat(storage().read("folder/with space+é/a")).isEqualTo(content);
        storage().fetch("folder/with space+é/a", Files.writeString(local.resolve("b"), "what was there"));
        assertThat(Files.readAllBytes(local.resolve("b"))).isEqualTo(content);
    }

    @Test
    void shouldKeepAnEmptyFile() throws Exception {
        storage().put(Files.createFile(local.resolve("empty")), "empty");
        storage().fetch("empty", local.resolve("back"));
        assertThat(local.resolve("back")).isEmptyFile();
    }

    @Test
    void shouldReplaceWhatIsThere() throws Exception {
        storage().putBytes(bytes("one"), "owner");
        storage().putBytes(bytes("two"), "owner");
        storage().put(Files.writeString(local.resolve("three"), "three"), "sst/x");
        storage().put(Files.writeString(local.resolve("three"), "four"), "sst/x");
        assertThat(storage().read("owner")).isEqualTo(bytes("two"));
        assertThat(storage().read("sst/x")).isEqualTo(bytes("four"));
    }

    @Test
    void shouldPutNothingThatCannotBeRead() throws Exception {
        assertThatThrownBy(() -> storage().put(local.resolve("missing"), "sst/x"))
                .isInstanceOf(IOException.class);
        assertThat(storage().list("")).isEmpty();
    }

    @Test
    void shouldListByFolderInOrder() throws Exception {
        assertThat(storage().list("")).isEmpty();
        for (String path : List.of("sst/b", "sst/a", "owner", "checkpoint-1/manifest.json", "checkpoint-11/CURRENT")) {
            storage().putBytes(bytes(path), path);
        }
        sibling().putBytes(bytes("other"), "sst/other");
        assertThat(storage().list(""))
                .containsExactly("checkpoint-1/manifest.json", "checkpoint-11/CURRENT", "owner", "sst/a", "sst/b");
        assertThat(storage().list("checkpoint-1")).containsExactly("checkpoint-1/manifest.json");
        assertThat(storage().list("nothing")).isEmpty();
        assertThat(sibling().list("")).containsExactly("sst/other");
    }

    @Test
    void shouldListMoreThanAPageOfFiles() throws Exception {
        List<String> paths = IntStream.range(0, 1_100)
                .mapToObj(i -> String.format(java.util.Locale.ROOT, "sst/%04d", i))
                .toList();
        for (String path : paths) {
            storage().putBytes(bytes(path), path);
        }
        assertThat(storage().list("sst")).isEqualTo(paths);
    }

    @Test
    void shouldDeleteAndMissNothingThatIsNotThere() throws Exception {
        storage().putBytes(bytes("a"), "sst/a");
        storage().putBytes(bytes("b"), "sst/b");
        storage().delete("sst/a");
        storage().delete("sst/a");
        storage().delete("never/there");
        assertThat(storage().list("")).containsExactly("sst/b");
    }

    @Test
    void shouldSayWhatIsMissing() {
        assertThatThrownBy(() -> storage().read("no/such"))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no/such");
        assertThatThrownBy(() -> storage().fetch("no/such", local.resolve("target")))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldKeepCheckpointsThatRestore() throws Exception {
        Path copy = Files.createDirectories(local.resolve("copy"));
        Files.writeString(copy.resolve("CURRENT"), "MANIFEST-1");
        Files.writeString(copy.resolve("000001.sst"), "table");
        Checkpoints checkpoints = new Checkpoints(storage(), 2);
        for (long offset = 100; offset <= 400; offset += 100) {
            checkpoints.write(copy, "topic", 0, offset, 1);
        }
        assertThat(checkpoints.complete())
                .extracting(CheckpointManifest::nextOffset)
                .containsExactly(400L, 300L);
        assertThat(storage().list("sst")).hasSize(1);
        Path target = local.resolve("restored");
        assertThat(new Checkpoints(storage(), 2)
                        .restoreBeyond(-1, target, (state, manifest) -> java.util.Optional.empty()))
                .isPresent();
        assertThat(target.resolve("000001.sst")).hasContent("table");
    }
}
