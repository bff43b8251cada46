package dev.vigil.engine.kafka;

import dev.vigil.engine.checkpoint.CheckpointManifest;
import dev.vigil.engine.checkpoint.CheckpointManifest.StoredFile;
import dev.vigil.event.Json;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What a bad disk does to files, and which of them it may be. */
final class Damage {
    private static final String MANIFEST = "manifest.json";
    private static final String FORMAT_BEFORE = "{\"format\":";

    private Damage() {}

    /** Changes a bit somewhere in a file that is not empty. */
    static void flipBit(Path file, Random random) throws IOException {
        byte[] content = Files.readAllBytes(file);
        content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, content);
    }

    /**
     * Changes a bit somewhere in a checkpoint's manifest, but for its format's number: any but 1 may be that of a newer
     * Vigil, and stops the engine.
     */
    static void flipBitOfManifest(Path checkpoint, Random random) throws IOException {
        Path file = checkpoint.resolve(MANIFEST);
        byte[] content = Files.readAllBytes(file);
        if (!new String(content, StandardCharsets.UTF_8).startsWith(FORMAT_BEFORE)) {
            throw new AssertionError(file + ": expected its format first");
        }
        int at = random.nextInt(content.length - 1);
        content[at < FORMAT_BEFORE.length() ? at : at + 1] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, content);
    }

    /** A table that a checkpoint needs. */
    static Path anyTable(Path checkpoint, Random random) {
        List<StoredFile> tables = tables(checkpoint);
        return checkpoint.resolveSibling(
                tables.get(random.nextInt(tables.size())).path());
    }

    /** Empty also if the checkpoint is not complete. */
    static List<StoredFile> tables(Path checkpoint) {
        return manifest(checkpoint).map(CheckpointManifest::files).orElse(List.of()).stream()
                .filter(file -> file.name().endsWith(".sst"))
                .toList();
    }

    /** One of the files below a directory that are not empty. */
    static Optional<Path> anyFile(Path directory, Predicate<String> name, Random random) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            List<Path> files = walk.filter(Files::isRegularFile)
                    .filter(file -> name.test(file.getFileName().toString())
                            && file.toFile().length() > 0)
                    .sorted()
                    .toList();
            return files.isEmpty() ? Optional.empty() : Optional.of(files.get(random.nextInt(files.size())));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Folders of a partition's checkpoints that may be taken, newest first. */
    static List<Path> completeCheckpoints(Path checkpoints) {
        record Complete(Path folder, long nextOffset) {}
        return folders(checkpoints).stream()
                .filter(folder -> !Files.exists(folder.resolve("DAMAGED")))
                .flatMap(folder ->
                        manifest(folder).map(manifest -> new Complete(folder, manifest.nextOffset())).stream())
                .sorted(Comparator.comparingLong(Complete::nextOffset).reversed())
                .map(Complete::folder)
                .toList();
    }

    /** Folders of checkpoints that are being uploaded, or never were to the end, or are being removed. */
    static List<Path> unfinishedCheckpoints(Path checkpoints) {
        return folders(checkpoints).stream()
                .filter(folder -> !Files.exists(folder.resolve(MANIFEST)))
                .toList();
    }

    private static List<Path> folders(Path checkpoints) {
        File[] folders = checkpoints.toFile().listFiles((parent, name) -> name.startsWith("checkpoint-"));
        return folders == null
                ? List.of()
                : Stream.of(folders).map(File::toPath).toList();
    }

    /** Empty if there is none, or none that can be read. */
    private static Optional<CheckpointManifest> manifest(Path checkpoint) {
        try {
            byte[] content = Files.readAllBytes(checkpoint.resolve(MANIFEST));
            return Optional.of(Json.decode(content, CheckpointManifest.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** Where a store's write-ahead log ends: its newest file, and that one's length. */
    static String logEnd(Path state) {
        File[] logs = state.toFile().listFiles((parent, name) -> name.endsWith(".log"));
        return logs == null
                ? ""
                : Stream.of(logs)
                        .max(Comparator.comparing(File::getName))
                        .map(log -> log.getName() + " " + log.length())
                        .orElse("");
    }
}
