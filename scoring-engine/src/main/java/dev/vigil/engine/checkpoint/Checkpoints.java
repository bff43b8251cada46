package dev.vigil.engine.checkpoint;

import com.fasterxml.jackson.core.JacksonException;
import dev.vigil.engine.checkpoint.CheckpointManifest.StoredFile;
import dev.vigil.event.Json;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of one task. Files that RocksDB never changes again are kept once under their content's hash, whatever
 * checkpoints share them; a manifest, written last, makes a checkpoint complete. One thread at a time.
 *
 * <p>A task that lost its partition may still be uploading while the new owner does. Folders are therefore named at
 * random, the order of checkpoints is that of their positions, and a manifest is only written over files that are there.
 */
public final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final Comparator<CheckpointManifest> NEWEST_FIRST = Comparator.comparingLong(
                    CheckpointManifest::nextOffset)
            .thenComparingLong(CheckpointManifest::number)
            .reversed();

    private static final String MANIFEST = "manifest.json";
    private static final String FOLDER = "checkpoint-";

    /** A manifest and the path it was read from. */
    private record Complete(CheckpointManifest manifest, String path) {}

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
        for (String path : manifestPaths()) {
            readManifest(path).ifPresent(manifests::add);
        }
        manifests.sort(NEWEST_FIRST);
        return manifests;
    }

    private List<String> manifestPaths() throws IOException {
        return storage.list("").stream()
                .filter(path -> path.startsWith(FOLDER) && path.endsWith("/" + MANIFEST))
                .toList();
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
        List<Complete> checkpoints = new ArrayList<>();
        long newest = 0;
        for (String path : manifestPaths()) {
            Optional<CheckpointManifest> earlier = readManifest(path);
            if (earlier.isPresent()) {
                checkpoints.add(new Complete(earlier.get(), path));
                newest = Math.max(newest, earlier.get().number());
            }
        }
        String folder = FOLDER + UUID.randomUUID();
        List<StoredFile> files = new ArrayList<>();
        for (Path file : stateFiles(copy)) {
            files.add(upload(file, folder));
        }
        requireStored(files);
        CheckpointManifest manifest = new CheckpointManifest(
                CheckpointManifest.FORMAT, newest + 1, topicId, partition, nextOffset, createdAtMs, files);
        String path = folder + "/" + MANIFEST;
        storage.putBytes(Json.encode(manifest), path);
        checkpoints.add(new Complete(manifest, path));
        sweep(checkpoints);
        return manifest;
    }

    /** Whether this object has not uploaded anything yet. */
    public boolean isFirstOfRun() {
        return uploaded.isEmpty();
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

    private void requireStored(List<StoredFile> files) throws IOException {
        Set<String> there = Set.copyOf(storage.list(""));
        for (StoredFile file : files) {
            if (!there.contains(file.path())) {
                uploaded.clear();
                throw new NoSuchFileException(file.path(), null, "removed from checkpoint storage by somebody else");
            }
        }
    }

    private void sweep(List<Complete> checkpoints) throws IOException {
        checkpoints.sort(Comparator.comparing(Complete::manifest, NEWEST_FIRST));
        Set<String> needed = new HashSet<>();
        Set<String> neededNames = new HashSet<>();
        for (Complete checkpoint : checkpoints.subList(0, Math.min(retain, checkpoints.size()))) {
            needed.add(checkpoint.path());
            for (StoredFile file : checkpoint.manifest().files()) {
                needed.add(file.path());
                neededNames.add(file.name());
            }
        }
        // Manifests first (false sorts before true): what is still named by one must be there.
        List<String> unneeded = storage.list("").stream()
                .filter(path -> !needed.contains(path))
                .sorted(Comparator.comparing(path -> !path.endsWith("/" + MANIFEST)))
                .toList();
        for (String path : unneeded) {
            storage.delete(path);
        }
        uploaded.keySet().retainAll(neededNames);
    }

    /**
     * Puts the newest checkpoint that verifies into a directory, if it is newer than the state at hand.
     *
     * @param offset position of the state at hand; negative if there is none
     * @param target what is there is deleted first
     * @return its manifest; empty if none is newer, or if none that is newer verifies and there is state at hand
     * @throws ServiceException if there is no state at hand, and checkpoints of which every one is damaged
     */
    public Optional<CheckpointManifest> restoreBeyond(long offset, Path target) throws IOException {
        deleteTree(target);
        for (CheckpointManifest manifest : complete()) {
            if (manifest.nextOffset() <= offset) {
                break;
            }
            Optional<String> damage = fetch(manifest, target);
            if (damage.isEmpty()) {
                return Optional.of(manifest);
            }
            LOG.warn("checkpoint {} is damaged ({}); trying the one before", manifest.number(), damage.get());
            deleteTree(target);
        }
        int found = manifestPaths().size();
        if (offset < 0 && found > 0) {
            throw new ServiceException(
                    "all " + found + " checkpoints are damaged; to score the log again from its start, move them away");
        }
        return Optional.empty();
    }

    private Optional<String> fetch(CheckpointManifest manifest, Path target) throws IOException {
        Files.createDirectories(target);
        for (StoredFile file : manifest.files()) {
            Path local = target.resolve(file.name());
            try {
                storage.fetch(file.path(), local);
            } catch (NoSuchFileException e) {
                return Optional.of(file.path() + " is missing");
            }
            if (Files.size(local) != file.sizeBytes() || !sha256(local).equals(file.sha256())) {
                return Optional.of(file.path() + " differs from its checksum");
            }
        }
        return Optional.empty();
    }

    /** The files that make up the state; RocksDB's log for people is none. */
    private static List<Path> stateFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("LOG"))
                    .sorted()
                    .toList();
        }
    }

    /** Deletes a directory with all that is in it; no error if it is not there. */
    public static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(directory)) {
            paths = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }

    private static String sha256(Path file) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
