package dev.vigil.engine.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** A directory, on a local disk or a mounted share. A file appears under its name by an atomic rename. */
public final class FileCheckpointStorage implements CheckpointStorage {
    private static final String PARTIAL = ".partial";

    private final Path root;

    public FileCheckpointStorage(Path root) {
        this.root = root;
    }

    @Override
    public void put(Path local, String path) throws IOException {
        publish(path, partial -> Files.copy(local, partial, StandardCopyOption.REPLACE_EXISTING));
    }

    @Override
    public void putBytes(byte[] bytes, String path) throws IOException {
        publish(path, partial -> Files.write(partial, bytes));
    }

    private interface Content {
        Object writeTo(Path partial) throws IOException;
    }

    private void publish(String path, Content content) throws IOException {
        Path target = root.resolve(path);
        Files.createDirectories(target.getParent());
        Path partial = target.resolveSibling(target.getFileName() + PARTIAL);
        try {
            content.writeTo(partial);
            try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(partial); // a full disk needs the room
            throw e;
        }
        try (FileChannel folder = FileChannel.open(target.getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    @Override
    public void fetch(String path, Path local) throws IOException {
        Files.copy(root.resolve(path), local, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public byte[] read(String path) throws IOException {
        return Files.readAllBytes(root.resolve(path));
    }

    @Override
    public List<String> list(String folder) throws IOException {
        Path start = root.resolve(folder);
        if (!Files.isDirectory(start)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(start)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void delete(String path) throws IOException {
        Path file = root.resolve(path);
        Files.deleteIfExists(file);
        try {
            Files.deleteIfExists(file.getParent());
        } catch (DirectoryNotEmptyException e) {
            return; // others are still in it
        }
    }
}
