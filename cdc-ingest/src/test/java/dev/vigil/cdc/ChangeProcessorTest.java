package dev.vigil.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.RowChange.Operation;
import dev.vigil.cdc.rocksdb.CaptureStore;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.card.CardNumberConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes out, when, and what is kept, over a real store. */
final class ChangeProcessorTest {

    private static final long NOON_US = 1_767_268_800_000_000L;
    private static final long SECOND_US = 1_000_000;
    private static final String CARDS = "public.cards";
    private static final String PAYMENTS = "public.payments";
    private static final String ACCOUNTS = "public.accounts";

    /** What went out, in its order. */
    private static final class Sent implements ChangeOutput {
        private final List<EventEnvelope> events = new ArrayList<>();
        private final List<MappedRow.Refused> letters = new ArrayList<>();

        @Override
        public void publish(EventEnvelope event) {
            events.add(event);
        }

        @Override
        public void deadLetter(MappedRow.Refused refused) {
            letters.add(refused);
        }

        List<String> ids() {
            return events.stream().map(EventEnvelope::id).toList();
        }
    }

    @TempDir
    Path directory;

    private final Sent sent = new Sent();
    private final ChangeCounts counts = new ChangeCounts(300_000_000);
    private CaptureStore store;
    private ChangeProcessor processor;

    @BeforeEach
    void open() {
        AccountSource.Column account = new AccountSource.Column("account_id");
        CdcConfig config = new CdcConfig(
                DatabaseConfig.postgresql("db", 5432, "u", "secret", "bank", "prefer"),
                "vigil",
                "vigil",
                Duration.ofSeconds(5),
                new LookupConfig(Duration.ofSeconds(10), 2),
                false,
                CardNumberConfig.defaults(),
                Set.of(),
                List.of(
                        new LookupTable(CARDS, "card", List.of(), account),
                        new ReferenceTable(ACCOUNTS, "account", List.of(), account, null, Map.of("limit", "limit")),
                        new EventTable(
                                PAYMENTS,
                                "payment",
                                List.of(),
                                new AccountSource.Lookup("card", CARDS, List.of("card_id"), account),
                                "at",
                                Map.of())));
        store = CaptureStore.open(directory, "vigil");
        processor = new ChangeProcessor(new RowMapper(config), config.lookups(), store, sent, counts);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldHoldRowsBackUntilTheirReferenceComesAndSendThemInTheirOrder() throws Exception {
        processor.process(payment(1, 7, 0));
        processor.process(payment(2, 7, 1));
        assertThat(sent.events).isEmpty();
        assertThat(store.waitingCount()).isEqualTo(2);

        processor.process(card(7, "a1", 2));

        assertThat(sent.ids()).containsExactly("1", "2");
        assertThat(sent.events).extracting(EventEnvelope::subject).containsOnly("a1");
        assertThat(store.waitingCount()).isZero();
        assertThat(counts.kept).isEqualTo(1);
        assertThat(counts.published).isEqualTo(2);
        assertThat(counts.rows).isEqualTo(3);
    }

    @Test
    void shouldWaitByTheDatabasesTimeToTheMicrosecond() throws Exception {
        processor.process(payment(1, 7, 0));

        processor.passTime(NOON_US + 10 * SECOND_US);
        assertThat(sent.letters).isEmpty();
        processor.passTime(NOON_US + 10 * SECOND_US + 1);

        assertThat(sent.letters).hasSize(1);
        assertThat(sent.letters.get(0).deadLetter().reason()).isEqualTo(Reason.MISSING_ACCOUNT);
        assertThat(store.waitingCount()).isZero();
        processor.process(card(7, "a1", 11));
        assertThat(sent.events).isEmpty();
    }

    /** Also those of rows that a snapshot gives, which carry none or that of the reading. */
    @Test
    void shouldLetNoTimeOfASnapshotAndNoEarlierTimeMoveTheDatabasesTime() throws Exception {
        processor.process(card(1, "a1", 0));
        RowChange read = payment(1, 7, 3_600);
        processor.process(new RowChange(Operation.SNAPSHOT, PAYMENTS, read.key(), null, read.after(), 9, 0));
        processor.process(card(2, "a1", -60));

        assertThat(store.databaseTimeUs()).isEqualTo(NOON_US);
    }

    @Test
    void shouldGiveUpTheOldestWhenTooManyWait() throws Exception {
        processor.process(payment(1, 7, 0));
        processor.process(payment(2, 8, 1));
        processor.process(payment(3, 9, 2));

        assertThat(sent.letters).extracting(MappedRow.Refused::key).containsExactly("1");
        assertThat(sent.letters.get(0).deadLetter().detail()).contains("while 2 more rows waited");
        assertThat(store.waitingCount()).isEqualTo(2);
        assertThat(counts.deadLetters).isEqualTo(1);
    }

    @Test
    void shouldTakeBackWhatALaterSnapshotDoesNotFindAndTellHowMuch() throws Exception {
        store.beginSnapshot();
        processor.process(account("k1", "a1", Operation.SNAPSHOT));
        processor.process(account("k2", "a2", Operation.SNAPSHOT));
        assertThat(processor.endSnapshot(moment(5))).isZero();
        assertThat(store.isSnapshotOpen()).isFalse();

        store.beginSnapshot();
        processor.process(account("k1", "a1", Operation.SNAPSHOT));
        long vanished = processor.endSnapshot(moment(6));

        assertThat(vanished).isEqualTo(1);
        EventEnvelope removal = sent.events.get(sent.events.size() - 1);
        assertThat(removal.subject()).isEqualTo("a2");
        assertThat(removal.data()).isEmpty();
        assertThat(removal.id()).isEqualTo("k2@0/6:gone");
        assertThat(store.find(new RowKey(ACCOUNTS, "k2"))).isEmpty();
        assertThat(store.find(new RowKey(ACCOUNTS, "k1"))).isPresent();
    }

    @Test
    void shouldTakeEveryRowBackThatATruncateRemoves() throws Exception {
        for (int i = 0; i < 2_500; i++) {
            processor.process(account("k" + i, "a" + i, Operation.INSERT));
        }
        sent.events.clear();

        processor.process(new RowChange(Operation.TRUNCATE, ACCOUNTS, null, null, null, 7, NOON_US));

        assertThat(sent.events)
                .hasSize(2_500)
                .allSatisfy(event -> assertThat(event.data()).isEmpty());
        assertThat(sent.ids()).doesNotHaveDuplicates();
        assertThat(store.remembered(ACCOUNTS, "", Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void shouldCountWhatItSkips() throws Exception {
        processor.process(card(7, "a1", 0));
        RowChange inserted = payment(1, 7, 1);
        processor.process(inserted);
        processor.process(new RowChange(
                Operation.UPDATE, PAYMENTS, inserted.key(), null, inserted.after(), 9, NOON_US + SECOND_US));
        processor.process(new RowChange(Operation.TRUNCATE, PAYMENTS, null, null, null, 10, NOON_US + SECOND_US));

        assertThat(counts.skipped).isEqualTo(2);
        assertThat(sent.ids()).containsExactly("1");
        assertThat(counts.lastEventTimeUs).isEqualTo(NOON_US + SECOND_US);
    }

    /** A batch that failed comes again: it gives the same, and nothing of the first time is left. */
    @Test
    void shouldGiveTheSameAgainAfterARollback() throws Exception {
        store.commit(CapturePosition.NONE, true);
        batch();
        List<String> first = sent.ids();
        sent.events.clear();
        store.rollback();
        assertThat(store.waitingCount()).isZero();

        batch();

        assertThat(sent.ids()).isEqualTo(first).containsExactly("1", "k1@0/1");
    }

    private void batch() throws InterruptedException {
        processor.process(payment(1, 7, 0));
        processor.process(card(7, "a1", 1));
        processor.process(account("k1", "a1", Operation.INSERT));
        processor.process(payment(2, 8, 2));
    }

    private static RowChange payment(int id, int card, long second) {
        long timeUs = NOON_US + second * SECOND_US;
        MapRow row = new MapRow(Map.of("card_id", new ColumnValue.Whole(card), "at", new ColumnValue.Time(timeUs)));
        return change(Operation.INSERT, PAYMENTS, MapRow.of("id", new ColumnValue.Whole(id)), row, timeUs);
    }

    private static RowChange card(int id, String account, long second) {
        MapRow row = MapRow.of("account_id", new ColumnValue.Text(account));
        return change(
                Operation.INSERT,
                CARDS,
                MapRow.of("card_id", new ColumnValue.Whole(id)),
                row,
                NOON_US + second * SECOND_US);
    }

    private static RowChange account(String key, String account, Operation operation) {
        MapRow row = new MapRow(
                Map.of("account_id", new ColumnValue.Text(account), "limit", new ColumnValue.Decimal("10.00")));
        return change(operation, ACCOUNTS, MapRow.of("id", new ColumnValue.Text(key)), row, NOON_US);
    }

    private static RowChange moment(long lsn) {
        return new RowChange(Operation.SNAPSHOT, "", null, null, null, lsn, NOON_US);
    }

    private static RowChange change(
            Operation operation, String table, MapRow key, @Nullable MapRow after, long committedUs) {
        return new RowChange(operation, table, key, null, after, 1, committedUs);
    }
}
