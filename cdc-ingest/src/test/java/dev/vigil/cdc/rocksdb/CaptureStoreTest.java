package dev.vigil.cdc.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.cdc.CapturePosition;
import dev.vigil.cdc.CaptureState.WaitingRow;
import dev.vigil.cdc.PublicationIdentity;
import dev.vigil.cdc.RememberedRow;
import dev.vigil.cdc.RowChange;
import dev.vigil.cdc.RowKey;
import dev.vigil.event.Json;
import dev.vigil.service.ServiceException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CaptureStoreTest {

    private static final RowKey CARD = new RowKey("public.cards", "1");
    private static final CapturePosition HERE = new CapturePosition(Map.of("key", "{\"lsn\":7}"), 8, 3);

    private static final PublicationIdentity PUBLICATION =
            new PublicationIdentity(16_401, Map.of("public.cards", Set.of("schema 16409", "table 16405")));

    @TempDir
    Path folder;

    private Path directory;

    @BeforeEach
    void nameDirectory() {
        directory = folder.resolve("capture");
    }

    @Test
    void shouldKeepPositionAndStateOfTheLastCommitTogether() {
        try (CaptureStore store = open()) {
            store.claimSlot();
            store.remember(CARD, row("a1"));
            store.passTime(500);
            store.commit(HERE, false);
            store.remember(CARD, row("a2"));
            store.passTime(900);
            store.enqueue(CARD, change(1));
        }
        try (CaptureStore store = open()) {
            assertThat(store.slot()).isEqualTo("vigil");
            assertThat(store.position()).isEqualTo(HERE);
            assertThat(store.find(CARD)).map(RememberedRow::link).hasValue("a1");
            assertThat(store.databaseTimeUs()).isEqualTo(500);
            assertThat(store.waitingCount()).isZero();
            assertThat(store.firstWaiting()).isEmpty();
        }
    }

    @Test
    void shouldShowChangesAtOnceAndForgetThemOnRollback() {
        try (CaptureStore store = open()) {
            store.remember(CARD, row("a1"));
            assertThat(store.find(CARD)).map(RememberedRow::link).hasValue("a1");
            assertThat(store.find(CARD))
                    .map(found -> new String(found.data(), UTF_8))
                    .hasValue("{}");
            store.commit(HERE, true);

            store.forget(CARD);
            store.enqueue(CARD, change(1));
            assertThat(store.find(CARD)).isEmpty();
            assertThat(store.waitingCount()).isEqualTo(1);

            store.rollback();
            assertThat(store.find(CARD)).isPresent();
            assertThat(store.waitingCount()).isZero();
            assertThat(store.waitingFor(CARD)).isEmpty();
        }
    }

    @Test
    void shouldGiveWaitingRowsInTheOrderOfArrivalAndTheOldestFirst() {
        RowKey other = new RowKey("public.cards", "10");
        try (CaptureStore store = open()) {
            store.enqueue(CARD, change(50));
            store.enqueue(other, change(20));
            store.enqueue(CARD, change(10));
            store.commit(HERE, false);
            store.enqueue(CARD, change(40));

            assertThat(store.waitingFor(CARD))
                    .extracting(waiting -> waiting.change().committedUs())
                    .containsExactly(50L, 10L, 40L);
            WaitingRow first = store.firstWaiting().orElseThrow();
            assertThat(first.change().committedUs()).isEqualTo(10);
            store.dequeue(first);
            assertThat(store.firstWaiting()).map(WaitingRow::missing).hasValue(other);
            assertThat(store.waitingFor(CARD)).hasSize(2);
            assertThat(store.waitingCount()).isEqualTo(3);
        }
    }

    @Test
    void shouldTellWhichRowsALaterSnapshotDidNotFind() {
        try (CaptureStore store = open()) {
            store.beginSnapshot();
            for (int i = 1; i <= 5; i++) {
                store.remember(new RowKey("public.cards", "c" + i), row("a"));
            }
            store.remember(new RowKey("public.cards2", "c1"), row("a"));
            store.endSnapshot();
            store.commit(HERE, false);
            store.beginSnapshot();
            store.remember(new RowKey("public.cards", "c2"), row("a"));

            assertThat(store.remembered("public.cards", "", store.snapshot(), 3))
                    .extracting(RowKey::id)
                    .containsExactly("c1", "c3", "c4");
            assertThat(store.remembered("public.cards", "c4", store.snapshot(), 3))
                    .extracting(RowKey::id)
                    .containsExactly("c5");
            assertThat(store.remembered("public.cards", "", Long.MAX_VALUE, 10)).hasSize(5);
        }
    }

    @Test
    void shouldKeepWhichTablesAreCapturedAndThroughWhat() {
        try (CaptureStore store = open()) {
            assertThat(store.tables()).isEmpty();
            store.belongsTo("1/1", Set.of("public.cards", "public.payments"), null);
            assertThat(store.publication()).isNull();
            store.belongsTo("1/1", Set.of("public.cards"), PUBLICATION);
            store.claimSlot();
            store.commit(HERE, true);
        }
        try (CaptureStore store = open()) {
            assertThat(store.tables()).containsExactly("public.cards");
            assertThat(store.server()).isEqualTo("1/1");
            assertThat(store.publication()).isEqualTo(PUBLICATION);
        }
    }

    @Test
    void shouldReadWhatAVersionWroteThatDidNotKeepTablesAndPublication() {
        StoredFacts facts = Json.decode("""
                {"slot":"vigil","server":"1/1","position":{"offsets":{},"open_lsn":0,"open_count":0},"snapshot":1,
                 "snapshot_open":false,"database_time_us":5,"next_seq":0,"waiting_count":0}""".getBytes(UTF_8), StoredFacts.class);

        assertThat(facts.tables()).isNull();
        assertThat(facts.publication()).isNull();
        assertThat(facts.databaseTimeUs()).isEqualTo(5);
    }

    @Test
    void shouldEndAtTheLastWholeWriteWhereTheLogIsCutOff() throws Exception {
        commitTenTimes();
        try (FileChannel log = FileChannel.open(StoreLog.newest(directory), StandardOpenOption.WRITE)) {
            log.truncate(log.size() - 3);
        }

        assertThat(stateIsThatOfThePosition()).isEqualTo(9);
    }

    /** Damage reads as the log's end. It never leads back to where a lost slot would be taken for an unfinished snapshot's. */
    @Test
    void shouldNotFallBehindTheFirstPositionWhereTheLogIsDamaged() throws Exception {
        commitTenTimes();
        byte[] whole = Files.readAllBytes(StoreLog.newest(directory));
        Set<Integer> reached = new TreeSet<>();
        for (int at = 0; at < whole.length; at += 61) {
            Path copy = directory.resolveSibling("copy-" + at);
            StoreLog.copy(directory, copy);
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(StoreLog.newest(copy), damaged);

            int position = stateIsThatOfThePosition(copy);

            assertThat(position).as("damaged at %d of %d", at, whole.length).isBetween(1, 10);
            reached.add(position);
        }
        assertThat(reached).contains(1, 5);
    }

    private void commitTenTimes() {
        try (CaptureStore store = open()) {
            store.claimSlot();
            for (int i = 1; i <= 10; i++) {
                store.remember(CARD, row("a" + i));
                store.commit(new CapturePosition(Map.of("key", String.valueOf(i)), i, 0), i % 2 == 0);
            }
        }
    }

    private int stateIsThatOfThePosition() {
        return stateIsThatOfThePosition(directory);
    }

    /** The position, which the state has to be that of. */
    private static int stateIsThatOfThePosition(Path directory) {
        try (CaptureStore store = CaptureStore.open(directory, "vigil")) {
            String position = String.valueOf(store.position().offsets().get("key"));
            assertThat(store.find(CARD)).map(RememberedRow::link).hasValue("a" + position);
            return Integer.parseInt(position);
        }
    }

    @Test
    void shouldRefuseADirectoryThatIsInUse() {
        try (CaptureStore store = open()) {
            assertThat(store.directory()).isEqualTo(directory);
            assertThatThrownBy(this::open)
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("in use by another process");
        }
    }

    private CaptureStore open() {
        return CaptureStore.open(directory, "vigil");
    }

    private static RememberedRow row(String account) {
        return new RememberedRow(account, "{}".getBytes(UTF_8));
    }

    private static RowChange change(long committedUs) {
        return new RowChange(RowChange.Operation.INSERT, "public.transactions", null, null, null, 1, committedUs);
    }
}
