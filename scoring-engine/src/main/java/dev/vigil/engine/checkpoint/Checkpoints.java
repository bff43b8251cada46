package dev.vigil.engine.checkpoint;

import dev.vigil.engine.checkpoint.CheckpointManifest.StoredFile;
import dev.vigil.engine.checkpoint.StoredCheckpoints.Stored;
import dev.vigil.event.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
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
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of one task. Files that RocksDB never changes again are kept once under their content's hash, whatever
 * checkpoints share them; a manifest, written last, makes a checkpoint complete. One thread at a time.
 *
 * <p>A task that lost its partition may still be uploading while the new owner does. Each object therefore claims the
 * storage with a name of its own, and one whose claim was overwritten publishes and removes nothing. Between that look
 * and what follows it may have been asleep for long, so folders are named at random, the order of checkpoints is that of
 * their positions, a manifest is only written over files that are there, and only what was seen before is removed.
 */
public final class Checkpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final String OWNER = "owner";

    /** Looks at a state that was fetched, before it is taken. */
    @FunctionalInterface
    public interface Inspection {
        /** @return what is wrong with it; empty if it may be taken */
        Optional<String> damage(Path state, CheckpointManifest manifest) throws IOException;
    }

    /**
     * A checkpoint that was put into a directory.
     *
     * @param folder its name in the storage, for {@link #markDamaged}
     */
    public record Restored(CheckpointManifest manifest, String folder) {}

    private final CheckpointStorage storage;
    private final StoredCheckpoints stored;
    private final int retain;
    private final byte[] name = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
    private final Map<String, StoredFile> uploaded = new HashMap<>();
    private boolean claimed;

    /** @param retain complete checkpoints that are kept, 1 or more */
    public Checkpoints(CheckpointStorage storage, int retain) {
        this.storage = storage;
        this.stored = new StoredCheckpoints(storage);
        this.retain = retain;
    }

    /** Keeps everybody who claimed the storage before from publishing there. The first {@link #write} does it at the latest. */
    public void claim() throws IOException {
        storage.putBytes(name, OWNER);
        claimed = true;
    }

    private void requireOwned() throws IOException {
        try {
            if (!java.util.Arrays.equals(storage.read(OWNER), name)) {
                throw new IOException("the partition was taken over; this checkpoint of its old owner is dropped");
            }
        } catch (NoSuchFileException e) {
            claim(); // somebody emptied the storage
        }
    }

    /** The complete checkpoints, newest first, without those that are known to be damaged. */
    public List<CheckpointManifest> complete() throws IOException {
        return stored.complete(storage.list("")).stream().map(Stored::manifest).toList();
    }

    /** How many checkpoints there are that cannot be taken. */
    public int damagedCount() throws IOException {
        return stored.damagedCount();
    }

    /** Files of a copy that this object has not uploaded yet, of those that RocksDB never changes again. */
    public List<Path> changedTables(Path copy) throws IOException {
        List<Path> changed = new ArrayList<>();
        for (Path file : stateFiles(copy)) {
            if (isTable(file) && !isUploaded(file)) {
                changed.add(file);
            }
        }
        return changed;
    }

    private static boolean isTable(Path file) {
        return file.getFileName().toString().endsWith(".sst");
    }

    private boolean isUploaded(Path table) throws IOException {
        StoredFile known = uploaded.get(table.getFileName().toString());
        return known != null && known.sizeBytes() == Files.size(table);
    }

    /**
     * Uploads a copy of a task's state and makes it the newest checkpoint; then removes what none of the retained ones
     * needs. What was uploaded is removed again if that fails, as far as it can be.
     *
     * @param copy directory with the state's files, left as it is
     * @throws IOException if the storage fails, or somebody claimed it since this object did
     */
    public CheckpointManifest write(Path copy, String topicId, int partition, long nextOffset, long createdAtMs)
            throws IOException {
        if (!claimed) {
            claim();
        }
        String folder = StoredCheckpoints.FOLDER + UUID.randomUUID();
        try {
            List<StoredFile> files = new ArrayList<>();
            for (Path file : stateFiles(copy)) {
                files.add(upload(file, folder));
            }
            requireOwned();
            Set<String> there = new TreeSet<>(storage.list(""));
            requireStored(files, there);
            List<Stored> complete = new ArrayList<>(stored.complete(there));
            long number = 1
                    + complete.stream()
                            .mapToLong(c -> c.manifest().number())
                            .max()
                            .orElse(0);
            CheckpointManifest manifest = new CheckpointManifest(
                    CheckpointManifest.FORMAT, number, topicId, partition, nextOffset, createdAtMs, files);
            Stored written = new Stored(manifest, folder);
            storage.putBytes(Json.encode(manifest), written.manifestPath());
            complete.add(written);
            sweep(complete, there);
            return manifest;
        } catch (IOException | RuntimeException e) {
            abandon(folder);
            throw e;
        }
    }

    /** Makes room: whatever the reason, such as a full disk, the next attempt takes another folder. */
    private void abandon(String folder) {
        try {
            List<String> paths = storage.list(folder);
            if (paths.stream().noneMatch(StoredCheckpoints::isManifest)) {
                for (String path : paths) {
                    storage.delete(path);
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} stays until the next complete checkpoint", folder, e);
        }
    }

    private StoredFile upload(Path file, String folder) throws IOException {
        String fileName = file.getFileName().toString();
        boolean immutable = isTable(file);
        long sizeBytes = Files.size(file);
        StoredFile known = immutable ? uploaded.get(fileName) : null;
        if (known != null && known.sizeBytes() == sizeBytes) {
            return known;
        }
        String sha256 = sha256(file);
        String path = immutable ? "sst/" + sha256 : folder + "/" + fileName;
        StoredFile put = new StoredFile(fileName, path, sizeBytes, sha256);
        storage.put(file, path);
        if (immutable) {
            uploaded.put(fileName, put);
        }
        return put;
    }

    private void requireStored(List<StoredFile> files, Set<String> there) throws IOException {
        for (StoredFile file : files) {
            if (!there.contains(file.path())) {
                uploaded.clear();
                throw new NoSuchFileException(file.path(), null, "removed from checkpoint storage by somebody else");
            }
        }
    }

    private void sweep(List<Stored> complete, Set<String> there) throws IOException {
        complete.sort(Stored.NEWEST_FIRST);
        Set<String> needed = new HashSet<>(Set.of(OWNER));
        Set<String> neededNames = new HashSet<>();
        for (Stored checkpoint : complete.subList(0, Math.min(retain, complete.size()))) {
            needed.add(checkpoint.manifestPath());
            for (StoredFile file : checkpoint.manifest().files()) {
                needed.add(file.path());
                neededNames.add(file.name());
            }
        }
        // Manifests first (false sorts before true): what is still named by one must be there. A mark goes with or
        // after its
        // manifest.
        List<String> unneeded = there.stream()
                .filter(path -> !needed.contains(path))
                .sorted(Comparator.comparing(path -> !StoredCheckpoints.isManifest(path)))
                .toList();
        for (String path : unneeded) {
            storage.delete(path);
        }
        uploaded.keySet().retainAll(neededNames);
    }

    /**
     * Puts the newest checkpoint that verifies into a directory, if it is newer than the state at hand. One that does not
     * verify is marked as damaged and never taken again.
     *
     * @param offset position of the state at hand; negative if there is none
     * @param target what is there is deleted first
     * @return empty if none is newer, or none that is newer verifies
     */
    public Optional<Restored> restoreBeyond(long offset, Path target, Inspection inspection) throws IOException {
        deleteTree(target);
        for (Stored checkpoint : stored.complete(storage.list(""))) {
            if (checkpoint.manifest().nextOffset() <= offset) {
                break;
            }
            LOG.info(
                    "fetching checkpoint {} at offset {}: {} MiB",
                    checkpoint.manifest().number(),
                    checkpoint.manifest().nextOffset(),
                    checkpoint.manifest().sizeBytes() >> 20);
            Optional<String> damage = fetch(checkpoint.manifest(), target);
            if (damage.isEmpty()) {
                damage = inspection.damage(target, checkpoint.manifest());
            }
            if (damage.isEmpty()) {
                return Optional.of(new Restored(checkpoint.manifest(), checkpoint.folder()));
            }
            LOG.warn(
                    "checkpoint {} at offset {} is damaged ({}); trying the one before",
                    checkpoint.manifest().number(),
                    checkpoint.manifest().nextOffset(),
                    damage.get());
            markDamaged(checkpoint.folder(), damage.get());
            deleteTree(target);
        }
        return Optional.empty();
    }

    /** Keeps a checkpoint from being taken again, until it is removed. Does nothing for what names none. */
    public void markDamaged(String folder, String why) {
        try {
            if (StoredCheckpoints.isFolder(folder)
                    && storage.list(folder).stream().anyMatch(StoredCheckpoints::isManifest)) {
                stored.markDamaged(folder, why);
            }
        } catch (IOException e) {
            LOG.warn("checkpoint {} cannot be marked as damaged: {}", folder, e.toString());
        }
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
