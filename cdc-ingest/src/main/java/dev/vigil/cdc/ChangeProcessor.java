package dev.vigil.cdc;

import dev.vigil.event.EventEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes row changes in the order of their commits and decides what goes out: at once, when the row that has the account
 * arrives, or as a dead letter when the database's time has passed it by. What goes out is a function of the changes since
 * the position that the state belongs to. One thread.
 */
public final class ChangeProcessor {

    private static final Logger log = LoggerFactory.getLogger(ChangeProcessor.class);
    private static final int PAGE = 1_000;

    private final RowMapper mapper;
    private final CaptureState state;
    private final ChangeOutput output;
    private final ChangeCounts counts;
    private final long waitUs;
    private final int maxWaiting;

    public ChangeProcessor(
            RowMapper mapper, LookupConfig lookups, CaptureState state, ChangeOutput output, ChangeCounts counts) {
        this.mapper = mapper;
        this.state = state;
        this.output = output;
        this.counts = counts;
        this.waitUs = lookups.patience().toNanos() / 1_000;
        this.maxWaiting = lookups.maxWaiting();
    }

    /** @throws InterruptedException if capture is being stopped: then nothing of the batch counts */
    public void process(RowChange change) throws InterruptedException {
        counts.rows++;
        if (change.operation() != RowChange.Operation.SNAPSHOT) {
            passTime(change.committedUs());
        }
        handle(mapper.clean(change));
    }

    /** The database's time has come to this; rows that have waited for too long go to the dead letters. */
    public void passTime(long timeUs) throws InterruptedException {
        if (timeUs <= state.databaseTimeUs()) {
            return;
        }
        state.passTime(timeUs);
        while (state.waitingCount() > 0) {
            CaptureState.WaitingRow first = state.firstWaiting().orElseThrow();
            if (first.change().committedUs() + waitUs >= timeUs) {
                return;
            }
            giveUp(first, "within " + Duration.ofNanos(waitUs * 1_000));
        }
    }

    /**
     * The snapshot has been read to its end: remembered rows that it did not find are gone from the database.
     *
     * @param end a change that carries the snapshot's position and time
     * @return how many they were
     */
    public long endSnapshot(RowChange end) throws InterruptedException {
        long goneCount = 0;
        for (String table : mapper.rememberedTables()) {
            long inTable = removeAll(table, state.snapshot(), end);
            if (inTable > 0) {
                log.warn("{}: {} rows that were known before are gone from the database", table, inTable);
            }
            goneCount += inTable;
        }
        state.endSnapshot();
        return goneCount;
    }

    private void handle(RowChange change) throws InterruptedException {
        MappedRow mapped = mapper.map(change, state);
        if (mapped instanceof MappedRow.Published published) {
            publish(published, nowUs(change));
        } else if (mapped instanceof MappedRow.Refused refused) {
            deadLetter(change, refused);
        } else if (mapped instanceof MappedRow.Waiting waiting) {
            state.enqueue(waiting.missing(), change.reducedTo(mapper.columns(change.table())));
            if (state.waitingCount() > maxWaiting) {
                giveUp(state.firstWaiting().orElseThrow(), "while " + maxWaiting + " more rows waited");
            }
        } else {
            counts.skipped++;
            if (change.operation() == RowChange.Operation.TRUNCATE) {
                truncated(change, mapped);
            }
        }
    }

    /** Snapshots do not move the database's time, and a row that has waited was committed before it. */
    private long nowUs(RowChange change) {
        return Math.max(state.databaseTimeUs(), change.committedUs());
    }

    private void publish(MappedRow.Published published, long nowUs) throws InterruptedException {
        if (published.events().isEmpty()) {
            counts.kept++;
        }
        for (EventEnvelope event : published.events()) {
            output.publish(event);
            counts.published(event, nowUs);
        }
        for (MemoryChange memory : published.memory()) {
            RememberedRow row = memory.row();
            if (row == null) {
                state.forget(memory.key());
            } else {
                state.remember(memory.key(), row);
                wake(memory.key());
            }
        }
    }

    private void wake(RowKey arrived) throws InterruptedException {
        if (state.waitingCount() == 0) {
            return;
        }
        for (CaptureState.WaitingRow waiting : state.waitingFor(arrived)) {
            state.dequeue(waiting);
            handle(waiting.change());
        }
    }

    private void giveUp(CaptureState.WaitingRow waiting, String why) throws InterruptedException {
        state.dequeue(waiting);
        deadLetter(waiting.change(), mapper.refuse(waiting.change(), waiting.missing(), why));
    }

    private void deadLetter(RowChange change, MappedRow.Refused refused) throws InterruptedException {
        output.deadLetter(refused);
        counts.deadLetters++;
        log.warn(
                "{}: row to the dead letters: {}",
                change.table(),
                refused.deadLetter().detail());
    }

    private void truncated(RowChange change, MappedRow mapped) throws InterruptedException {
        if (mapped instanceof MappedRow.Cleared) {
            long removedCount = removeAll(change.table(), Long.MAX_VALUE, change);
            log.warn("{} was truncated: {} rows are gone", change.table(), removedCount);
        } else {
            log.warn("{} was truncated: what was published of it stays", change.table());
        }
    }

    private long removeAll(String table, long lastSeenBefore, RowChange end) throws InterruptedException {
        long removedCount = 0;
        String after = "";
        while (true) {
            List<RowKey> page = state.remembered(table, after, lastSeenBefore, PAGE);
            if (page.isEmpty()) {
                return removedCount;
            }
            for (RowKey key : page) {
                Optional<EventEnvelope> removal = state.find(key).flatMap(row -> mapper.removal(key, row, end));
                if (removal.isPresent()) {
                    output.publish(removal.get());
                    counts.published(removal.get(), nowUs(end));
                }
                state.forget(key);
                removedCount++;
            }
            after = page.get(page.size() - 1).id();
        }
    }
}
