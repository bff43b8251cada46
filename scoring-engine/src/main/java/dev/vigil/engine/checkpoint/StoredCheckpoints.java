package dev.vigil.engine.checkpoint;

import com.fasterxml.jackson.core.JacksonException;
import dev.vigil.event.Json;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What lies in a task's checkpoint storage. A checkpoint is a folder with a manifest; one that turned out to be damaged
 * has a mark beside it, and is never taken again, by whichever engine.
 */
final class StoredCheckpoints {
    static final String FOLDER = "checkpoint-";
    private static final Pattern NAME = Pattern.compile(FOLDER + "[0-9a-f-]+");
    private static final Logger LOG = LoggerFactory.getLogger(StoredCheckpoints.class);
    private static final String MANIFEST = "/manifest.json";
    private static final String DAMAGED = "/DAMAGED";

    /** A complete checkpoint. */
    record Stored(CheckpointManifest manifest, String folder) {
        static final Comparator<Stored> NEWEST_FIRST = Comparator.comparingLong(
                        (Stored stored) -> stored.manifest().nextOffset())
                .thenComparingLong(stored -> stored.manifest().number())
                .reversed();

        String manifestPath() {
            return folder + MANIFEST;
        }
    }

    private final CheckpointStorage storage;

    StoredCheckpoints(CheckpointStorage storage) {
        this.storage = storage;
    }

    static boolean isFolder(String name) {
        return NAME.matcher(name).matches();
    }

    static boolean isManifest(String path) {
        return path.startsWith(FOLDER) && path.endsWith(MANIFEST);
    }

    /**
     * Those that may be taken, newest first. A manifest that cannot be read is reported and left out.
     *
     * @param paths what is in the storage
     * @throws ServiceException if one is of a newer version's format
     */
    List<Stored> complete(Collection<String> paths) throws IOException {
        List<Stored> complete = new ArrayList<>();
        for (String path : paths) {
            String folder = path.substring(0, Math.max(0, path.lastIndexOf('/')));
            if (isManifest(path) && !paths.contains(folder + DAMAGED)) {
                read(path).ifPresent(manifest -> complete.add(new Stored(manifest, folder)));
            }
        }
        complete.sort(Stored.NEWEST_FIRST);
        return complete;
    }

    private Optional<CheckpointManifest> read(String path) throws IOException {
        try {
            CheckpointManifest manifest = Json.decode(storage.read(path), CheckpointManifest.class);
            if (manifest.format() < CheckpointManifest.FORMAT) {
                LOG.warn("checkpoint {} is damaged: its manifest says format {}", path, manifest.format());
                return Optional.empty();
            }
            if (manifest.format() > CheckpointManifest.FORMAT) {
                throw new ServiceException("checkpoint " + path + " has format " + manifest.format()
                        + ", this version reads format " + CheckpointManifest.FORMAT);
            }
            return Optional.of(manifest);
        } catch (NoSuchFileException e) {
            return Optional.empty(); // removed since it was listed
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof JacksonException) {
                LOG.warn("checkpoint {} is damaged: its manifest cannot be read", path);
                return Optional.empty();
            }
            throw e.getCause();
        }
    }

    /** Never to be taken again. */
    void markDamaged(String folder, String why) throws IOException {
        storage.putBytes(why.getBytes(StandardCharsets.UTF_8), folder + DAMAGED);
    }

    /** Folders that were complete once and cannot be taken: marked, or with a manifest that cannot be read. */
    int damagedCount() throws IOException {
        List<String> paths = storage.list("");
        long manifests = paths.stream().filter(StoredCheckpoints::isManifest).count();
        return (int) manifests - complete(paths).size();
    }
}
