package dev.vigil.engine.kafka;

import java.io.File;
import java.io.IOException;
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

    private Damage() {}

    /** Changes a bit somewhere in a file that is not empty. */
    static void flipBit(Path file, Random random) throws IOException {
        byte[] content = Files.readAllBytes(file);
        content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, content);
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

    /** Folders of complete checkpoints of a partition, newest first. */
    static List<Path> completeCheckpoints(Path checkpoints) {
        return folders(checkpoints, true);
    }

    /** Folders of checkpoints that are being uploaded, or never were to the end. */
    static List<Path> unfinishedCheckpoints(Path checkpoints) {
        return folders(checkpoints, false);
    }

    private static List<Path> folders(Path checkpoints, boolean complete) {
        File[] folders = checkpoints.toFile().listFiles((parent, name) -> name.startsWith("checkpoint-"));
        return folders == null
                ? List.of()
                : Stream.of(folders)
                        .filter(folder -> new File(folder, MANIFEST).exists() == complete)
                        .sorted(Comparator.comparingLong((File folder) -> new File(folder, MANIFEST).lastModified())
                                .reversed())
                        .map(File::toPath)
                        .toList();
    }
}
