package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.debezium.LogReader.Entry;
import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.ServiceState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of a real PostgreSQL to the log of a real broker. */
final class CdcIngestIT {

    @TempDir
    Path directory;

    private CapturedBank bank;

    @BeforeEach
    void createBank() throws Exception {
        bank = CapturedBank.create(directory);
    }

    @AfterEach
    void dropBank() throws Exception {
        bank.close();
    }

    @Test
    void shouldPublishEveryRowOnceWhileAWriterGoesOnDuringTheSnapshot() throws Exception {
        bank.insertPayments(1, 400);
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> insertOneByOne(401, 1_200));
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            writer.join();
            bank.log.awaitEvents(list -> ids(list).size() >= 1_200);
            bank.insertPayments(1_201, 1_210); // a quick writer may have been done before the snapshot began

            List<Entry> events = bank.log.awaitEvents(list -> ids(list).size() >= 1_210);

            assertThat(ids(events)).isEqualTo(idsBetween(1, 1_210));
            assertThat(events).hasSize(1_210);
            assertThat(events)
                    .filteredOn(event -> Integer.parseInt(event.id()) <= 400)
                    .allMatch(Entry::backfill);
            assertThat(events)
                    .filteredOn(event -> Integer.parseInt(event.id()) > 1_200)
                    .noneMatch(Entry::backfill);
            assertThat(events).allSatisfy(event -> {
                assertThat(event.type()).isEqualTo("transaction");
                assertThat(event.headers()).containsEntry("ce_source", bank.source("transactions"));
                assertThat(event.key()).isEqualTo("a" + Integer.parseInt(event.id()) % 7);
                assertThat(event.field("amount")).isEqualTo(event.id() + ".25");
            });
            assertThat(bank.log.deadLetters()).isEmpty();
        }
    }

    @Test
    void shouldKeepTheOrderOfCommitsForEveryAccount() throws Exception {
        bank.insertPayments(1, 200);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            for (int i = 201; i < 700; i += 50) {
                bank.insertPayments(i, i + 49);
            }
            List<Entry> events = bank.log.awaitEvents(list -> list.size() >= 700);

            for (int account = 0; account < 7; account++) {
                String key = "a" + account;
                assertThat(events)
                        .filteredOn(event -> key.equals(event.key()))
                        .extracting(event -> Integer.parseInt(event.id()))
                        .isSorted();
            }
        }
    }

    @Test
    void shouldGoOnWhereItStoppedWithoutLossOrRepetition() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(1, 50);
            bank.log.awaitEvents(list -> list.size() >= 50);
        }
        bank.insertPayments(51, 90);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(91, 100);

            List<Entry> events = bank.log.awaitEvents(list -> ids(list).size() >= 100);

            assertThat(ids(events)).isEqualTo(idsBetween(1, 100));
            assertThat(events)
                    .filteredOn(event -> Integer.parseInt(event.id()) > 50)
                    .noneMatch(Entry::backfill);
        }
    }

    @Test
    void shouldNotSkipATransactionThatWasOpenWhenItStopped() throws Exception {
        try (Connection slow = bank.connect()) {
            slow.setAutoCommit(false);
            try (CdcIngest ingest = bank.ingest()) {
                ingest.start();
                bank.insertPayments(1, 1);
                bank.log.awaitEvents(list -> list.size() == 1);
                insert(slow, 10, 14);
                bank.insertPayments(20, 24);
                bank.log.awaitEvents(list -> list.size() == 6);
            }
            insert(slow, 15, 16);
            slow.commit();
        }
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(30, 30);

            List<Entry> events = bank.log.awaitEvents(list -> ids(list).contains(30));

            assertThat(ids(events)).containsAll(idsBetween(10, 16)).containsAll(idsBetween(20, 24));
        }
    }

    @Test
    void shouldSendARowThatTheBrokerFindsTooLargeToTheDeadLettersAndGoOn() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.execute("INSERT INTO " + bank.table("accounts")
                    + " VALUES ('a1', 'DE', now(), 1, repeat('x', 2000000)), ('a2', 'DE', now(), 1, 'small')");

            List<Entry> letters = bank.log.awaitDeadLetters(1);
            List<Entry> events = bank.log.awaitEvents(list -> !list.isEmpty());

            assertThat(letters).extracting(Entry::key).containsExactly("a1");
            assertThat(letters.get(0).headers())
                    .containsEntry("vigil-reason", "too_large")
                    .containsEntry("ce_source", bank.source("accounts"));
            assertThat(events).extracting(Entry::key).containsExactly("a2");
        }
    }

    @Test
    void shouldTellWhatItDoes() throws Exception {
        bank.insertPayments(1, 20);
        try (CdcIngest ingest = bank.ingest()) {
            assertThat(ingest.status().state()).isEqualTo(ServiceState.NEW);
            ingest.start();
            bank.log.awaitEvents(list -> list.size() >= 20);
            bank.execute(
                    "UPDATE " + bank.table("transactions") + " SET amount = 1 WHERE transaction_id = 1",
                    "DELETE FROM " + bank.table("transactions") + " WHERE transaction_id = 2",
                    "INSERT INTO " + bank.table("transactions") + " VALUES (21, NULL, 1, 'DE', 0, now())");
            bank.log.awaitDeadLetters(1);

            CdcStatus status =
                    Awaitility.await().until(ingest::status, s -> s.rowsRead() == 23 && s.slotLagBytes() != null);

            assertThat(status.state()).isEqualTo(ServiceState.RUNNING);
            assertThat(status.problem()).isNull();
            assertThat(status.phase()).isEqualTo("streaming");
            assertThat(status.published()).isEqualTo(20);
            assertThat(status.skipped()).isEqualTo(2);
            assertThat(status.deadLettered()).isEqualTo(1);
            assertThat(status.lastEventTimeUs()).isEqualTo(1_767_225_620_000_000L);
        }
    }

    /** A row dated 2099 would be the newest one for ever. */
    @Test
    void shouldNotTakeARowThatIsAheadOfItsTimeForTheNewestOne() throws Exception {
        String ahead =
                "INSERT INTO " + bank.table("transactions") + " VALUES (%d, 'a1', 1, 'DE', 0, '2099-01-0%d 00:00:00Z')";
        bank.insertPayments(1, 3);
        bank.execute(ahead.formatted(4, 1));
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() >= 4);
            bank.execute(ahead.formatted(5, 1));
            Awaitility.await().until(() -> ingest.status().published() == 5);
            assertThat(ingest.status().lastEventTimeUs()).isEqualTo(1_767_225_603_000_000L);

            ingest.policyActivated(new DeclaredFields("wide", Map.of(), Map.of(), Duration.ofDays(40_000)));
            bank.execute(ahead.formatted(6, 2));
            Awaitility.await().until(() -> ingest.status().published() == 6);
            assertThat(ingest.status().lastEventTimeUs()).isEqualTo(4_070_995_200_000_000L);
        }
    }

    private void insertOneByOne(int fromId, int toId) {
        try (Connection connection = bank.connect()) {
            insert(connection, fromId, toId);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void insert(Connection connection, int fromId, int toId) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + bank.table("transactions")
                + " SELECT i, 'a' || (i % 7), i + 0.25, 'DE', 52.5,"
                + " timestamptz '2026-01-01 00:00:00Z' + i * interval '1 second' FROM (SELECT ? AS i) s")) {
            for (int id = fromId; id <= toId; id++) {
                insert.setInt(1, id);
                insert.execute();
            }
        }
    }

    private static Set<Integer> ids(List<Entry> events) {
        return events.stream().map(event -> Integer.parseInt(event.id())).collect(Collectors.toSet());
    }

    private static Set<Integer> idsBetween(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().collect(Collectors.toSet());
    }
}
