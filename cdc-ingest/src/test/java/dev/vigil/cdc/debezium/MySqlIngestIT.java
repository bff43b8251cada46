package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.debezium.LogReader.Entry;
import dev.vigil.event.EventEnvelope;
import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.ServiceState;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of a MySQL server to the log: nothing lost, nothing invented, whatever is stopped in between. */
final class MySqlIngestIT {

    @TempDir
    Path directory;

    private MySqlBank bank;

    @BeforeEach
    void createBank() throws Exception {
        bank = MySqlBank.create(directory, MySqlServer.shared());
    }

    @AfterEach
    void dropBank() throws Exception {
        if (bank != null) {
            bank.close();
        }
    }

    @Test
    void shouldPublishEveryRowOnceWhileAWriterGoesOnDuringTheSnapshot() throws Exception {
        bank.insertPayments(1, 3_000);
        AtomicInteger last = new AtomicInteger(3_000);
        Thread writer = new Thread(() -> writeUntilInterrupted(last), "test-writer");
        writer.start();
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            Awaitility.await().until(() -> ingest.status().phase().equals("streaming"));
            writer.interrupt();
            writer.join();
            int total = last.get();

            List<Entry> events = bank.log.awaitEvents(list -> list.size() >= total);

            assertThat(events).hasSize(total);
            assertThat(ids(events)).isEqualTo(between(1, total));
            assertThat(events).filteredOn(Entry::backfill).hasSizeGreaterThanOrEqualTo(3_000);
            Entry first = byId(events, 8);
            assertThat(first.key()).isEqualTo("a1");
            assertThat(first.time()).isEqualTo("2025-12-31T18:30:08Z");
            assertThat(first.headers()).containsEntry(EventEnvelope.SOURCE_HEADER, bank.source("transactions"));
            assertThat(first.data()).containsEntry("amount", "8.25").containsEntry("country", "DE");
        }
    }

    private void writeUntilInterrupted(AtomicInteger last) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                bank.insertPayments(last.get() + 1, last.get() + 5);
                last.addAndGet(5);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void shouldGoOnWhereItStoppedWithoutLossOrRepetition() throws Exception {
        for (int run = 0; run < 3; run++) {
            int published = run * 500;
            try (CdcIngest ingest = bank.ingest()) {
                ingest.start();
                bank.insertPayments(published + 1, published + 250);
                bank.log.awaitEvents(list -> list.size() == published + 250);
                streaming(ingest);
            }
            bank.insertPayments(published + 251, published + 500);
        }
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            List<Entry> events = bank.log.awaitEvents(list -> list.size() >= 1_500);
            assertThat(events).hasSize(1_500);
            assertThat(ids(events)).isEqualTo(between(1, 1_500));
        }
    }

    @Test
    void shouldLoseNothingWhenItIsKilledAndRepeatOnlyTheSameRecords() throws Exception {
        bank.insertPayments(1, 100);
        Process process = IngestProcess.start(bank);
        try {
            for (int round = 1; round <= 3; round++) {
                int from = round * 10_000;
                for (int id = from; id < from + 1_000; id += 20) {
                    bank.insertPayments(id, id + 19);
                }
                bank.insertPayments(from + 1_000, from + 5_999);
                int published = 100 + (round - 1) * 6_000 + 1_500;
                bank.log.awaitEvents(list -> ids(list).size() > published);
                process.destroyForcibly().waitFor();
                process = IngestProcess.start(bank);
            }
            Set<Integer> expected = between(1, 100);
            for (int round = 1; round <= 3; round++) {
                expected.addAll(between(round * 10_000, round * 10_000 + 5_999));
            }

            List<Entry> events = bank.log.awaitEvents(list -> ids(list).containsAll(expected));

            assertThat(ids(events)).isEqualTo(expected);
            assertRepeatsAreEqual(events);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** With a heap in which neither the table nor the transaction fits. */
    @Test
    void shouldGetThroughAHugeTableAndAHugeTransactionThoughItIsKilledInTheMiddle() throws Exception {
        int rows = 60_000;
        bank.insertPayments(1, rows);
        Process process = IngestProcess.start(bank);
        try {
            bank.log.awaitEvents(list -> ids(list).size() == rows);
            bank.insertPayments(rows + 1, 2 * rows);
            bank.log.awaitEvents(list -> ids(list).size() > rows + rows / 3);
            process.destroyForcibly().waitFor();
            process = IngestProcess.start(bank);

            List<Entry> events = bank.log.awaitEvents(list -> ids(list).size() >= 2 * rows);

            assertThat(ids(events)).isEqualTo(between(1, 2 * rows));
            assertRepeatsAreEqual(events);
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldGiveEachChangeItsMeaning() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            streaming(ingest);
            bank.execute(
                    "INSERT INTO " + bank.table("accounts")
                            + " VALUES ('a1', 'DE', '2020-01-01 00:00:00', 1000, repeat('x', 20000))",
                    "INSERT INTO " + bank.table("accounts") + " VALUES ('a2', 'FR', '2020-01-01 00:00:00', 1, NULL)",
                    "UPDATE " + bank.table("accounts") + " SET credit_limit = 2000 WHERE account_id = 'a1'",
                    "UPDATE " + bank.table("accounts") + " SET account_id = 'a3' WHERE account_id = 'a2'");
            bank.insertPayments(1, 1);
            bank.execute(
                    "UPDATE " + bank.table("transactions") + " SET amount = 9 WHERE transaction_id = 1",
                    "UPDATE " + bank.table("transactions") + " SET transaction_id = 2 WHERE transaction_id = 1",
                    "INSERT INTO " + bank.table("fraud_labels") + " VALUES (1, 'a1', 1, '2026-01-02 00:00:00')",
                    "DELETE FROM " + bank.table("transactions"),
                    "DELETE FROM " + bank.table("accounts") + " WHERE account_id = 'a3'",
                    "TRUNCATE " + bank.table("accounts"));

            // Two inserts, an update, a removal and a row for the changed key, a removal, and one for the truncate.
            List<Entry> all = bank.log.awaitEvents(list -> list.size() >= 9);

            assertThat(ofType(all, "transaction")).extracting(Entry::id).containsExactly("1");
            assertThat(ofType(all, "vigil.label"))
                    .extracting(entry -> entry.field("value"))
                    .containsExactly("true");
            List<Entry> references = ofType(all, "vigil.reference.account");
            assertThat(of(references, "a1")).hasSize(3);
            assertThat(of(references, "a1").get(1).field("credit_limit")).isEqualTo("2000.00");
            assertThat(of(references, "a1").get(1).field("notes")).isEqualTo("x".repeat(20_000));
            assertThat(of(references, "a1").get(2).data()).isNull();
            assertThat(of(references, "a2")).hasSize(2);
            assertThat(of(references, "a2").get(1).data()).isNull();
            assertThat(of(references, "a3")).hasSize(2);
            assertThat(of(references, "a3").get(1).data()).isNull();
            assertThat(references).extracting(Entry::id).doesNotHaveDuplicates();
            assertThat(bank.log.deadLetters()).isEmpty();
        }
    }

    @Test
    void shouldReadEachRowByTheSchemaItWasWrittenWithAlsoAfterARestart() throws Exception {
        bank.map("logins", "{event: login, account: account_id, time: at, fields: {a: a, b: b}}");
        bank.execute("CREATE TABLE " + bank.table("logins")
                + " (id int PRIMARY KEY, account_id varchar(9), at datetime, a int, b enum('x', 'y'))");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            streaming(ingest);
            bank.execute(login(1, "7", "'x'"));
            bank.log.awaitEvents(list -> list.size() == 1);
        }
        bank.execute(
                "ALTER TABLE " + bank.table("logins") + " ADD c int FIRST, MODIFY b enum('x', 'y', 'z')",
                login(2, "8", "'z'"),
                "ALTER TABLE " + bank.table("logins") + " RENAME COLUMN a TO t, RENAME COLUMN b TO a",
                "ALTER TABLE " + bank.table("logins") + " RENAME COLUMN t TO b",
                login(3, "'x'", "9"),
                "ALTER TABLE " + bank.table("logins") + " DROP a, ADD a varchar(20)",
                login(4, "'text'", "10"));
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();

            List<Entry> logins = bank.log.awaitEvents(list -> list.size() == 4);

            assertThat(logins)
                    .extracting(login -> login.field("a") + "/" + login.field("b"))
                    .containsExactlyInAnyOrder("7/x", "8/z", "x/9", "text/10");
            assertThat(bank.log.deadLetters()).isEmpty();
        }
    }

    private String login(int id, String a, String b) {
        return "INSERT INTO " + bank.table("logins") + " (id, account_id, at, a, b) VALUES (" + id
                + ", 'a1', '2026-01-01', " + a + ", " + b + ")";
    }

    @Test
    void shouldHoldPaymentsBackUntilTheirCardArrives() throws Exception {
        bank.payThroughCards();
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            streaming(ingest);
            bank.execute("INSERT INTO " + bank.table("transactions")
                    + " VALUES (1, 'none', 1, 'DE', 1, '2026-01-01', 7), (2, 'none', 1, 'DE', 1, '2026-01-01', 8)");
            Awaitility.await().until(() -> ingest.status().waiting() == 2);
            bank.execute("INSERT INTO " + bank.table("cards") + " VALUES (7, 'a7')");

            assertThat(bank.log.awaitEvents(list -> list.size() == 1))
                    .extracting(Entry::key)
                    .containsExactly("a7");
            // The database's time passes with each commit of a captured table.
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
                bank.execute("REPLACE INTO " + bank.table("cards") + " VALUES (9, '" + System.nanoTime() + "')");
                return !bank.log.deadLetters().isEmpty();
            });
            assertThat(bank.log.deadLetters()).extracting(Entry::key).containsExactly("2");
        }
    }

    @Test
    void shouldReadTheRowsThatWereAskedForAgainAsTheSameEvents() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            streaming(ingest);
            bank.insertPayments(1, 20);
            bank.log.awaitEvents(list -> list.size() == 20);

            SnapshotRequests.add(directory, bank.table("transactions"), "transaction_id <= 5");
            bank.insertPayments(21, 21);

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 26);
            List<Entry> again = events.stream().filter(Entry::backfill).toList();
            assertThat(ids(again)).isEqualTo(between(1, 5));
            assertRepeatsAreEqual(events);
        }
    }

    @Test
    void shouldTellWhatItDoes() throws Exception {
        bank.insertPayments(1, 10);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() == 10);
            streaming(ingest);
            Awaitility.await()
                    .until(() -> Long.valueOf(0).equals(ingest.status().slotLagBytes()));
            CdcStatus status = ingest.status();

            assertThat(status.state()).isEqualTo(ServiceState.RUNNING);
            assertThat(status.problem()).isNull();
            assertThat(status.rowsRead()).isEqualTo(10);
            assertThat(status.published()).isEqualTo(10);
            assertThat(status.lastEventTimeUs()).isNotNull();
            assertThat(status.snapshot()).isNull();
        }
    }

    /** A table without rows ends a snapshot as well. */
    @Test
    void shouldTakeReferencesBackThatASnapshotDoesNotFindAnyMore() throws Exception {
        bank.execute("INSERT INTO " + bank.table("accounts") + " VALUES ('a1', 'DE', '2020-01-01', 1000, NULL)");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() == 1);
            streaming(ingest);
        }
        bank.execute("DELETE FROM " + bank.table("accounts"));
        SchemaHistoryFile.delete(SchemaHistoryFile.in(directory));
        bank.acceptGap();
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 2);

            assertThat(events.get(1).key()).isEqualTo("a1");
            assertThat(events.get(1).data()).isNull();
            assertThat(ingest.status().vanished()).isEqualTo(1);
        }
    }

    @Test
    void shouldGoOnWhenTheServerComesBackFromAKill() throws Exception {
        try (MySqlServer server = MySqlServer.start(directory.resolve("server"), List.of())) {
            MySqlBank elsewhere = MySqlBank.create(directory, server);
            try (CdcIngest ingest = elsewhere.ingest()) {
                ingest.start();
                elsewhere.insertPayments(1, 10);
                elsewhere.log.awaitEvents(list -> list.size() == 10);

                server.kill();
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> ingest.status().problem() != null);
                server.start();
                elsewhere.insertPayments(11, 20);

                List<Entry> events = elsewhere.log.awaitEvents(list -> ids(list).size() == 20);
                assertRepeatsAreEqual(events);
                assertThat(ingest.status().problem()).isNull();
            }
        }
    }

    private static void streaming(CdcIngest ingest) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(40))
                .until(() -> ingest.status().phase().equals("streaming"));
    }

    private static void assertRepeatsAreEqual(List<Entry> events) {
        Map<String, Entry> first = new HashMap<>();
        for (Entry event : events) {
            Entry earlier = first.putIfAbsent(event.id(), event);
            if (earlier != null) {
                assertThat(event.data()).isEqualTo(earlier.data());
                assertThat(event.key()).isEqualTo(earlier.key());
                assertThat(event.time()).isEqualTo(earlier.time());
                assertThat(event.type()).isEqualTo(earlier.type());
            }
        }
    }

    private static List<Entry> ofType(List<Entry> events, String type) {
        return events.stream().filter(event -> event.type().equals(type)).toList();
    }

    private static List<Entry> of(List<Entry> events, String account) {
        return events.stream().filter(event -> account.equals(event.key())).toList();
    }

    private static Entry byId(List<Entry> events, int id) {
        return events.stream()
                .filter(event -> event.id().equals(Integer.toString(id)))
                .findFirst()
                .orElseThrow();
    }

    private static Set<Integer> ids(List<Entry> events) {
        return events.stream().map(event -> Integer.parseInt(event.id())).collect(Collectors.toSet());
    }

    private static Set<Integer> between(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().collect(Collectors.toSet());
    }
}
