package dev.vigil.engine.checkpoint;

import com.fasterxml.jackson.core.JacksonException;
import dev.vigil.engine.checkpoint.CheckpointManifest.StoredFile;
import dev.vigil.event.Json;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of one task. Files that RocksDB never changes again are kept once under their content's hash, whatever
 * checkpoints share them; a manifest, written last, makes a checkpoint complete. One thread at a time.
 */
public final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    /** By position: a late-comer that lost its partition may write a higher number for an older state. */
    private static final Comparator<CheckpointManifest> NEWEST_FIRST = Comparator.comparingLong(
                    CheckpointManifest::nextOffset)
            .thenComparingLong(CheckpointManifest::number)
            .reversed();

    private static final String MANIFEST = "manifest.json";
    private static final String FOLDER = "checkpoint-";

    private final CheckpointStorage storage;
    private final int retain;
    private final Map<String, StoredFile> uploaded = new HashMap<>();

    /** @param retain complete checkpoints that are kept, 1 or more */
    public Checkpoints(CheckpointStorage storage, int retain) {
        this.storage = storage;
        this.retain = retain;
    }

    /** The complete checkpoints, newest first. A manifest that cannot be read is reported and left out. */
    public List<CheckpointManifest> complete() throws IOException {
        List<CheckpointManifest> manifests = new ArrayList<>();
        for (String path : storage.list("")) {
            if (path.startsWith(FOLDER) && path.endsWith("/" + MANIFEST)) {
                readManifest(path).ifPresent(manifests::add);
            }
        }
        manifests.sort(NEWEST_FIRST);
        return manifests;
    }

    private Optional<CheckpointManifest> readManifest(String path) throws IOException {
        try {
            CheckpointManifest manifest = Json.decode(storage.read(path), CheckpointManifest.class);
            if (manifest.format() != CheckpointManifest.FORMAT) {
                throw new ServiceException("checkpoint " + path + " has format " + manifest.format()
                        + ", this version reads format " + CheckpointManifest.FORMAT);
            }
            return Optional.of(manifest);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof JacksonException) {
                LOG.warn("checkpoint {} is damaged: its manifest cannot be read", path);
                return Optional.empty();
            }
            throw e.getCause();
        }
    }

    /**
     * Uploads a copy of a task's state and makes it the newest checkpoint; then removes what none of the retained ones
     * needs.
     *
     * @param copy directory with the state's files, left as it is
     */
    public CheckpointManifest write(Path copy, String topicId, int partition, long nextOffset, long createdAtMs)
            throws IOException {
        List<CheckpointManifest> earlier = complete();
        long number =
                earlier.stream().mapToLong(CheckpointManifest::number).max().orElse(0) + 1;
        String folder = FOLDER + String.format("%012d", number);
        List<StoredFile> files = new ArrayList<>();
        for (Path file : filesIn(copy)) {
            files.add(upload(file, folder));
        }
        CheckpointManifest manifest = new CheckpointManifest(
                CheckpointManifest.FORMAT, number, topicId, partition, nextOffset, createdAtMs, files);
        storage.putBytes(Json.encode(manifest), folder + "/" + MANIFEST);
        earlier.add(manifest);
        earlier.sort(NEWEST_FIRST);
        sweep(earlier);
        return manifest;
    }

    private StoredFile upload(Path file, String folder) throws IOException {
        String name = file.getFileName().toString();
        long sizeBytes = Files.size(file);
        boolean immutable = name.endsWith(".sst");
        StoredFile known = uploaded.get(name);
        if (immutable && known != null && known.sizeBytes() == sizeBytes) {
            return known;
        }
        String sha256 = sha256(file);
        StoredFile stored = new StoredFile(name, immutable ? "sst/" + sha256 : folder + "/" + name, sizeBytes, sha256);
        storage.put(file, stored.path());
        if (immutable) {
            uploaded.put(name, stored);
        }
        return stored;
    }

    private void sweep(List<CheckpointManifest> newestFirst) throws IOException {
        Set<String> needed = new HashSet<>();
        Set<String> neededNames = new HashSet<>();
        for (CheckpointManifest manifest : newestFirst.subList(0, Math.min(retain, newestFirst.size()))) {
            needed.add(FOLDER + String.format("%012d", manifest.number()) + "/" + MANIFEST);
            for (StoredFile file : manifest.files()) {
                needed.add(file.path());
                neededNames.add(file.name());
            }
        }
        List<String> unneeded = new ArrayList<>(storage.list(""));
        unneeded.removeAll(needed);
        // Manifests first: what is still named by one must be there.
        unneeded.sort((a, b) -> Boolean.compare(b.endsWith(MANIFEST), a.endsWith(MANIFEST)));
        for (String path : unneeded) {
            storage.delete(path);
        }
        uploaded.keySet().retainAll(neededNames);
    }

    /**
     * Puts the newest checkpoint that verifies into a directory that does not exist yet.
     *
     * @return its manifest; empty if there is no checkpoint at all
     * @throws ServiceException if there are checkpoints and every one is damaged
     */
    public Optional<CheckpointManifest> restore(Path target) throws IOException {
        List<CheckpointManifest> manifests = complete();
        for (CheckpointManifest manifest : manifests) {
            Optional<String> damage = fetch(manifest, target);
            if (damage.isEmpty()) {
                return Optional.of(manifest);
            }
            LOG.warn("checkpoint {} is damaged ({}); trying the one before", manifest.number(), damage.get());
            deleteTree(target);
        }
        if (!manifests.isEmpty()) {
            throw new ServiceException("all " + manifests.size()
                    + " checkpoints are damaged; to score the log again from its start, move them away");
        }
        return Optional.empty();
    }

    private Optional<String> fetch(CheckpointManifest manifest, Path target) throws IOException {
        Files.createDirectories(target);
        for (StoredFile file : manifest.files()) {
            Path local = target.resolve(file.name());
            try {
                storage.fetch(file.path(), local);
            } catch (java.nio.file.NoSuchFileException e) {
                return Optional.of(file.path() + " is missing");
            }
            if (Files.size(local) != file.sizeBytes() || !sha256(local).equals(file.sha256())) {
                return Optional.of(file.path() + " differs from its checksum");
            }
        }
        return Optional.empty();
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    /** Deletes a directory with all that is in it; no error if it is not there. */
    public static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(directory)) {
            paths = new ArrayList<>(walk.toList());
        }
        java.util.Collections.reverse(paths);
        for (Path path : paths) {
            Files.delete(path);
        }
    }

    private static String sha256(Path file) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                in.transferTo(java.io.OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
