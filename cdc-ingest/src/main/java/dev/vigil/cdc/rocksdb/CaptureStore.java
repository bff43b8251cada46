package dev.vigil.cdc.rocksdb;

import dev.vigil.cdc.CapturePosition;
import dev.vigil.cdc.CaptureState;
import dev.vigil.cdc.PublicationIdentity;
import dev.vigil.cdc.RememberedRow;
import dev.vigil.cdc.RowChange;
import dev.vigil.cdc.RowChangeCodec;
import dev.vigil.cdc.RowKey;
import dev.vigil.event.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Position and state of capture. What is changed is seen at once, and is written with the next {@link #commit}, position and
 * state in one step; {@link #rollback} forgets it. One thread at a time.
 */
public final class CaptureStore implements CaptureState, AutoCloseable {

    private final CaptureDatabase database;
    private final String slot;
    private StoredFacts committed;
    private StoredFacts facts;

    private CaptureStore(CaptureDatabase database, String slot, StoredFacts committed) {
        this.database = database;
        this.slot = slot;
        this.committed = committed;
        this.facts = committed;
    }

    /**
     * @param slot replication slot that a new store will belong to
     * @throws dev.vigil.service.ServiceException if the directory cannot be used, with one line that says why
     */
    public static CaptureStore open(Path directory, String slot) {
        CaptureDatabase database = CaptureDatabase.open(directory);
        try {
            StoredFacts facts = database.find(StoreKeys.FACTS)
                    .map(bytes -> Json.decode(bytes, StoredFacts.class))
                    .orElseGet(() -> StoredFacts.of(""));
            return new CaptureStore(database, slot, facts);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    public Path directory() {
        return database.directory();
    }

    /** The slot that the position belongs to; empty before {@link #claimSlot}. */
    public String slot() {
        return committed.slot();
    }

    /** The position of the last commit. */
    public CapturePosition position() {
        return committed.position();
    }

    /** Notes, before the slot is created, that a slot of that name is ours. */
    public void claimSlot() {
        StoredFacts claimed = facts;
        facts = new StoredFacts(
                slot,
                claimed.server(),
                claimed.tables(),
                claimed.publication(),
                CapturePosition.NONE,
                claimed.snapshot(),
                claimed.snapshotOpen(),
                claimed.databaseTimeUs(),
                claimed.nextSeq(),
                claimed.waitingCount());
        commit(CapturePosition.NONE, true);
    }

    /** Which server the position was read from; null if that is not known. */
    public @Nullable String server() {
        return committed.server();
    }

    /** Tables that were captured when the last run began; empty if that is not known. */
    public Set<String> tables() {
        Set<String> tables = committed.tables();
        return tables == null ? Set.of() : tables;
    }

    /** The publication that the last run began with; null if that is not known, or if there is no such thing. */
    public @Nullable PublicationIdentity publication() {
        return committed.publication();
    }

    /**
     * Notes which server and which of its tables are read from now on, and through what. Forgets what changed since the last
     * commit.
     */
    public void belongsTo(String server, Set<String> tables, @Nullable PublicationIdentity publication) {
        rollback();
        if (server.equals(committed.server())
                && tables.equals(committed.tables())
                && Objects.equals(publication, committed.publication())) {
            return; // where the disk is full, nothing that is not needed may be written
        }
        facts = facts.reading(server, new TreeSet<>(tables), publication);
        commit(facts.position(), true);
    }

    /**
     * The first position after a snapshot goes into a file of its own: damage to the log of later writes, which reads as the log's
     * end, then leads back to it at most, and a position that is behind its slot is told as a gap.
     *
     * @param durable also through a loss of power, which takes a moment; else through the end of the process
     */
    public void commit(CapturePosition position, boolean durable) {
        boolean isFirst =
                committed.position().offsets().isEmpty() && !position.offsets().isEmpty();
        facts = facts.at(position);
        if (!facts.equals(committed)) {
            database.put(StoreKeys.FACTS, Json.encode(facts));
        }
        database.write(durable || isFirst);
        committed = facts;
        if (isFirst) {
            database.flush();
        }
    }

    /** Forgets what changed since the last commit. */
    public void rollback() {
        database.rollback();
        facts = committed;
    }

    @Override
    public Optional<RememberedRow> find(RowKey key) {
        return database.find(StoreKeys.row(key)).map(CaptureStore::row);
    }

    @Override
    public void remember(RowKey key, RememberedRow row) {
        byte[] link = row.link().getBytes(StandardCharsets.UTF_8);
        database.put(
                StoreKeys.row(key),
                ByteBuffer.allocate(Long.BYTES + Integer.BYTES + link.length + row.data().length)
                        .putLong(facts.snapshot())
                        .putInt(link.length)
                        .put(link)
                        .put(row.data())
                        .array());
    }

    private static RememberedRow row(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value, Long.BYTES, value.length - Long.BYTES);
        byte[] link = new byte[bytes.getInt()];
        bytes.get(link);
        byte[] data = new byte[bytes.remaining()];
        bytes.get(data);
        return new RememberedRow(new String(link, StandardCharsets.UTF_8), data);
    }

    private static long snapshotOf(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    @Override
    public void forget(RowKey key) {
        database.delete(StoreKeys.row(key));
    }

    @Override
    public List<RowKey> remembered(String table, String after, long lastSeenBefore, int limit) {
        List<RowKey> keys = new ArrayList<>();
        byte[] prefix = StoreKeys.rows(table);
        byte[] from = after.isEmpty() ? prefix : StoreKeys.row(new RowKey(table, after));
        database.scan(from, (key, value) -> {
            if (!StoreKeys.startsWith(key, prefix) || keys.size() == limit) {
                return false;
            }
            String id = StoreKeys.rowId(key, table);
            if (!id.equals(after) && snapshotOf(value) < lastSeenBefore) {
                keys.add(new RowKey(table, id));
            }
            return true;
        });
        return keys;
    }

    @Override
    public long snapshot() {
        return facts.snapshot();
    }

    @Override
    public void beginSnapshot() {
        facts = facts.withSnapshot(facts.snapshot() + 1, true);
    }

    @Override
    public boolean isSnapshotOpen() {
        return facts.snapshotOpen();
    }

    @Override
    public void endSnapshot() {
        facts = facts.withSnapshot(facts.snapshot(), false);
    }

    @Override
    public void enqueue(RowKey missing, RowChange change) {
        long seq = facts.nextSeq();
        byte[] key = StoreKeys.waitingFor(missing, seq);
        database.put(key, RowChangeCodec.encode(change));
        database.put(StoreKeys.waitingSince(change.committedUs(), seq), key);
        facts = facts.withWaiting(seq + 1, facts.waitingCount() + 1);
    }

    @Override
    public List<WaitingRow> waitingFor(RowKey missing) {
        List<WaitingRow> rows = new ArrayList<>();
        byte[] prefix = StoreKeys.waitingFor(missing);
        database.scan(prefix, (key, value) -> {
            if (!StoreKeys.startsWith(key, prefix)) {
                return false;
            }
            rows.add(new WaitingRow(StoreKeys.seq(key), missing, RowChangeCodec.decode(value)));
            return true;
        });
        return rows;
    }

    @Override
    public Optional<WaitingRow> firstWaiting() {
        List<byte[]> first = new ArrayList<>(1);
        database.scan(StoreKeys.WAITING_BY_TIME, (key, value) -> {
            if (StoreKeys.startsWith(key, StoreKeys.WAITING_BY_TIME)) {
                first.add(value);
            }
            return false;
        });
        return first.stream()
                .findFirst()
                .map(key -> new WaitingRow(
                        StoreKeys.seq(key),
                        StoreKeys.missing(key),
                        RowChangeCodec.decode(database.find(key).orElseThrow())));
    }

    @Override
    public void dequeue(WaitingRow row) {
        database.delete(StoreKeys.waitingFor(row.missing(), row.seq()));
        database.delete(StoreKeys.waitingSince(row.change().committedUs(), row.seq()));
        facts = facts.withWaiting(facts.nextSeq(), facts.waitingCount() - 1);
    }

    @Override
    public int waitingCount() {
        return facts.waitingCount();
    }

    @Override
    public long databaseTimeUs() {
        return facts.databaseTimeUs();
    }

    @Override
    public void passTime(long timeUs) {
        if (timeUs > facts.databaseTimeUs()) {
            facts = facts.withTime(timeUs);
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
