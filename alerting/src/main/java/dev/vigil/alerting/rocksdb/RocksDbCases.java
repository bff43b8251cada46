package dev.vigil.alerting.rocksdb;

import dev.vigil.alerting.cases.CaseChanges;
import dev.vigil.alerting.cases.CaseHead;
import dev.vigil.alerting.cases.CasePlace;
import dev.vigil.alerting.cases.CaseStore;
import dev.vigil.alerting.cases.CaseTimer;
import dev.vigil.alerting.cases.LabelTarget;
import dev.vigil.event.Json;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseFilter;
import dev.vigil.event.cases.CasePage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * The cases in the outbox's database. Who lists them holds the outbox's lock for {@value #CHUNK} cases at a time, some
 * hundred microseconds, and decodes them without it, so the intake goes on in between.
 */
final class RocksDbCases implements CaseStore {
    static final int CHUNK = 64;
    /** Cases that are looked at for one page; beyond, the page ends early and says where to go on. */
    static final int SCAN_MAX = 10_000;

    private final OutboxDatabase database;
    /** The outbox's. */
    private final Object lock;

    RocksDbCases(OutboxDatabase database, Object lock) {
        this.database = database;
        this.lock = lock;
    }

    @Override
    public Optional<CaseHead> head(String caseId) {
        return find(CaseKeys.head(caseId)).map(RocksDbCases::head);
    }

    private static CaseHead head(byte[] value) {
        return Json.decode(value, CaseHead.class);
    }

    @Override
    public Optional<String> latestCase(String fingerprint) {
        return find(CaseKeys.latest(fingerprint)).map(OutboxValues::text);
    }

    @Override
    public OptionalLong eventTimeUs(int partition) {
        Optional<byte[]> value = find(CaseKeys.eventTime(partition));
        return value.isPresent() ? OptionalLong.of(OutboxValues.number(value.get())) : OptionalLong.empty();
    }

    private Optional<byte[]> find(byte[] key) {
        synchronized (lock) {
            return database.find(key);
        }
    }

    @Override
    public List<CaseTimer> dueTimers(int partition, long upToUs, int limit) {
        return scan(
                CaseKeys.timersOf(partition),
                CaseKeys.timersEnd(partition, upToUs),
                limit,
                at -> CaseKeys.timer(at.key()));
    }

    @Override
    public List<LabelTarget> targets(String caseId) {
        return lines(CaseKeys.Lines.TARGETS, caseId, CaseHead.MAX_TARGETS, LabelTarget.class);
    }

    @Override
    public Optional<AlertCase> find(String caseId) {
        synchronized (lock) {
            return head(caseId)
                    .map(head -> head.view(
                            lines(CaseKeys.Lines.ALERTS, caseId, CaseHead.MAX_ALERTS, AlertCase.CaseAlert.class),
                            lines(CaseKeys.Lines.ENTRIES, caseId, CaseHead.MAX_ENTRIES, AlertCase.CaseEntry.class)));
        }
    }

    private <T> List<T> lines(CaseKeys.Lines lines, String caseId, int limit, Class<T> type) {
        return scan(lines.from(caseId), lines.end(caseId), limit, at -> Json.decode(at.value(), type));
    }

    private <T> List<T> scan(byte[] from, byte[] end, int limit, Function<RocksIterator, T> reader) {
        List<T> found = new ArrayList<>();
        synchronized (lock) {
            try (OutboxDatabase.Scan scan = database.scan(from, end)) {
                for (RocksIterator at = scan.at(); at.isValid() && found.size() < limit; at.next()) {
                    found.add(reader.apply(at));
                }
                scan.check();
            }
        }
        return found;
    }

    @Override
    public CasePage list(CaseFilter filter) {
        List<AlertCase> cases = new ArrayList<>();
        CasePlace last = filter.after() == null ? null : CasePlace.parse(filter.after());
        for (int looked = 0; looked < SCAN_MAX; looked += CHUNK) {
            List<Listed> chunk = chunkAfter(last);
            for (Listed listed : chunk) {
                if (cases.size() == filter.limit()) {
                    return new CasePage(cases, nextAfter(last));
                }
                last = listed.place;
                CaseHead head = head(listed.head);
                if (wants(filter, head)) {
                    cases.add(head.view(List.of(), List.of()));
                }
            }
            if (chunk.size() < CHUNK) {
                return new CasePage(cases, null);
            }
        }
        return new CasePage(cases, nextAfter(last));
    }

    private static @Nullable String nextAfter(@Nullable CasePlace place) {
        return place == null ? null : place.toString();
    }

    /** A case of the list, not decoded yet. */
    private record Listed(CasePlace place, byte[] head) {}

    private List<Listed> chunkAfter(@Nullable CasePlace last) {
        byte[] from = last == null ? CaseKeys.listFrom() : CaseKeys.listAfter(last);
        synchronized (lock) {
            return scan(from, CaseKeys.listEnd(), CHUNK, at -> {
                CasePlace place = CaseKeys.place(at.key());
                return new Listed(
                        place, database.find(CaseKeys.head(place.caseId())).orElseThrow());
            });
        }
    }

    private static boolean wants(CaseFilter filter, CaseHead head) {
        return (filter.open() == null || filter.open() != head.closed())
                && (filter.assignee() == null
                        || filter.assignee().equals(head.standing().assignee()))
                && (filter.account() == null
                        || filter.account().equals(head.origin().account()))
                && (filter.rule() == null || head.figures().rules().contains(filter.rule()));
    }

    /** To be called under the lock, in the outbox's own batch. */
    void put(WriteBatch batch, CaseChanges changes, Map<Integer, Long> eventTimesUs) throws RocksDBException {
        for (Map.Entry<Integer, Long> eventTime : eventTimesUs.entrySet()) {
            long before = eventTimeUs(eventTime.getKey()).orElse(Long.MIN_VALUE);
            if (eventTime.getValue() > before) {
                batch.put(CaseKeys.eventTime(eventTime.getKey()), OutboxValues.number(eventTime.getValue()));
            }
        }
        for (CaseChanges.Changed changed : changes.changed()) {
            put(batch, changed);
        }
        for (Map.Entry<String, Optional<String>> latest : changes.latest().entrySet()) {
            byte[] key = CaseKeys.latest(latest.getKey());
            if (latest.getValue().isPresent()) {
                batch.put(key, OutboxValues.text(latest.getValue().get()));
            } else {
                batch.delete(key);
            }
        }
        for (String caseId : changes.pruned()) {
            prune(batch, caseId);
        }
    }

    private void put(WriteBatch batch, CaseChanges.Changed changed) throws RocksDBException {
        CaseHead head = changed.head();
        String caseId = head.caseId();
        deleteIndexes(batch, caseId);
        batch.put(CaseKeys.head(caseId), Json.encode(head));
        batch.put(CaseKeys.listed(CasePlace.of(head)), new byte[0]);
        if (head.timer().isPresent()) {
            batch.put(CaseKeys.timer(head.origin().partition(), head.timer().get()), new byte[0]);
        }
        long alertCount = head.figures().alertCount();
        putLast(batch, CaseKeys.Lines.ALERTS, caseId, changed.alerts(), alertCount, CaseHead.MAX_ALERTS);
        putLast(batch, CaseKeys.Lines.ENTRIES, caseId, changed.entries(), head.entryCount(), CaseHead.MAX_ENTRIES);
        long number = alertCount - changed.alerts().size();
        for (AlertCase.CaseAlert alert : changed.alerts()) {
            number++;
            if (number <= CaseHead.MAX_TARGETS) {
                batch.put(CaseKeys.Lines.TARGETS.line(caseId, number), Json.encode(LabelTarget.of(alert)));
            }
        }
    }

    /** Puts lines, the last of which has that number, and deletes those that are too many now. */
    private static void putLast(
            WriteBatch batch, CaseKeys.Lines lines, String caseId, List<?> added, long lastNumber, int kept)
            throws RocksDBException {
        long before = lastNumber - added.size();
        for (long number = Math.max(1, before - kept + 1); number <= Math.min(before, lastNumber - kept); number++) {
            batch.delete(lines.line(caseId, number));
        }
        long number = before;
        for (Object line : added) {
            number++;
            if (number > lastNumber - kept) {
                batch.put(lines.line(caseId, number), Json.encode(line));
            }
        }
    }

    private void deleteIndexes(WriteBatch batch, String caseId) throws RocksDBException {
        Optional<CaseHead> before = head(caseId);
        if (before.isPresent()) {
            CaseHead head = before.get();
            batch.delete(CaseKeys.listed(CasePlace.of(head)));
            if (head.timer().isPresent()) {
                batch.delete(
                        CaseKeys.timer(head.origin().partition(), head.timer().get()));
            }
        }
    }

    private void prune(WriteBatch batch, String caseId) throws RocksDBException {
        deleteIndexes(batch, caseId);
        batch.delete(CaseKeys.head(caseId));
        for (CaseKeys.Lines lines : CaseKeys.Lines.values()) {
            batch.deleteRange(lines.from(caseId), lines.end(caseId));
        }
    }
}
