package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.debezium.LogReader.Entry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts that stand in another row than the event's. */
final class LookupIT {

    @TempDir
    Path directory;

    private CapturedBank bank;

    @BeforeEach
    void createBank() throws Exception {
        bank = CapturedBank.create(directory);
        bank.payThroughCards("account_id");
    }

    @AfterEach
    void dropBank() throws Exception {
        bank.close();
    }

    @Test
    void shouldFindTheAccountOfAPaymentThroughItsCard() throws Exception {
        card(1, "a1");
        pay(100, 1);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() == 1);
            card(2, "a2");
            pay(101, 2);
            pay(102, 1);

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 3);

            assertThat(events)
                    .filteredOn(event -> event.id().equals("100"))
                    .extracting(Entry::key)
                    .containsOnly("a1");
            assertThat(events)
                    .filteredOn(event -> event.id().equals("101"))
                    .extracting(Entry::key)
                    .containsOnly("a2");
            assertThat(events)
                    .filteredOn(event -> event.id().equals("102"))
                    .extracting(Entry::key)
                    .containsOnly("a1");
            assertThat(events).extracting(Entry::backfill).containsExactlyInAnyOrder(true, false, false);
            assertThat(ingest.status().kept()).isEqualTo(2);
        }
    }

    @Test
    void shouldUseTheCardsNewAccountForLaterPaymentsAlsoAfterARestart() throws Exception {
        card(1, "a1");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            pay(100, 1);
            bank.log.awaitEvents(list -> list.size() == 1);
        }
        pay(101, 1);
        bank.execute("UPDATE " + bank.table("cards") + " SET account_id = 'a9'");
        pay(102, 1);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            pay(103, 1);

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 4);

            assertThat(keysInOrder(events, "a1")).containsExactly("100", "101");
            assertThat(keysInOrder(events, "a9")).containsExactly("102", "103");
        }
    }

    @Test
    void shouldHoldPaymentsBackUntilTheirCardArrivesAndKeepTheirOrder() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            card(7, "a7");
            pay(1, 7);
            bank.log.awaitEvents(list -> list.size() == 1);
            try (Connection connection = bank.connect();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute(payment(100, 1));
                statement.execute(payment(101, 1));
                statement.execute("INSERT INTO " + bank.table("cards") + " VALUES (1, 'a1')");
                statement.execute(payment(102, 1));
                connection.commit();
            }

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 4);

            assertThat(keysInOrder(events, "a1")).containsExactly("100", "101", "102");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(ingest.status().waiting()).isZero());
        }
    }

    @Test
    void shouldGoOnWaitingAfterARestart() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            card(7, "a7");
            pay(1, 7);
            pay(100, 1);
            bank.log.awaitEvents(list -> list.size() == 1);
            Awaitility.await().until(() -> ingest.status().waiting() == 1);
        }
        card(1, "a1");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 2);

            assertThat(keysInOrder(events, "a1")).containsExactly("100");
            assertThat(bank.log.deadLetters()).isEmpty();
        }
    }

    @Test
    void shouldSendARowToTheDeadLettersWhoseCardDoesNotCome() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            pay(100, 1);

            List<Entry> letters = bank.log.awaitDeadLetters(1);

            assertThat(letters.get(0).headers())
                    .containsEntry("vigil-reason", "missing_account")
                    .containsEntry("ce_source", bank.source("transactions"));
            assertThat(letters.get(0).headers().get("vigil-detail"))
                    .contains("expected the account in " + bank.table("cards") + " 1, found no such row within PT3S");
            assertThat(letters.get(0).key()).isEqualTo("100");
            assertThat(letters.get(0).field("card_id")).isEqualTo("1");
            card(1, "a1");
            pay(101, 1);
            assertThat(bank.log.awaitEvents(list -> !list.isEmpty()))
                    .extracting(Entry::id)
                    .containsExactly("101");
        }
    }

    @Test
    void shouldBoundTheRowsThatWait() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            card(7, "a7");
            pay(1, 7);
            bank.log.awaitEvents(list -> list.size() == 1);
            bank.execute("INSERT INTO " + bank.table("transactions") + " SELECT 100 + i, 'none', 1, 'DE', 1.5,"
                    + " '2026-01-01 00:00:00Z', 1 FROM generate_series(1, 60) i");

            List<Entry> letters = bank.log.awaitDeadLetters(10);

            assertThat(letters.subList(0, 10))
                    .extracting(Entry::key)
                    .containsExactlyInAnyOrder("101", "102", "103", "104", "105", "106", "107", "108", "109", "110");
            assertThat(ingest.status().waiting()).isLessThanOrEqualTo(50);
        }
    }

    @Test
    void shouldFindTheAccountThroughTwoRows() throws Exception {
        bank.close();
        bank = CapturedBank.create(directory.resolve("two"));
        bank.payThroughCards("{lookup: holder, by: holder_id}");
        bank.execute("CREATE TABLE " + bank.table("holders") + " (id bigint PRIMARY KEY, account text)");
        bank.map("holders", "{lookup: holder, account: account}");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            pay(100, 1);
            bank.execute(
                    "INSERT INTO " + bank.table("cards") + " VALUES (1, NULL, 5)",
                    "INSERT INTO " + bank.table("holders") + " VALUES (5, 'a5')");
            bank.log.awaitEvents(list -> list.size() == 1);
            bank.execute("UPDATE " + bank.table("holders") + " SET account = 'a6'");
            pay(101, 1);

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 2);

            assertThat(keysInOrder(events, "a5")).containsExactly("100");
            assertThat(keysInOrder(events, "a6")).containsExactly("101");
        }
    }

    @Test
    void shouldLookUpInPublishedReferencesToo() throws Exception {
        bank.close();
        bank = CapturedBank.create(directory.resolve("reference"));
        bank.payThroughCards("{lookup: plastic, by: card_id}");
        bank.execute("CREATE TABLE " + bank.table("plastics") + " (id bigint PRIMARY KEY, account text, colour text)");
        bank.map("plastics", "{reference: plastic, account: account, fields: {colour: colour}}");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.execute(
                    "INSERT INTO " + bank.table("plastics") + " VALUES (1, 'a1', 'red')",
                    "INSERT INTO " + bank.table("cards") + " VALUES (1)");
            pay(100, 1);
            bank.log.awaitEvents(list -> list.size() == 2);
            bank.execute("UPDATE " + bank.table("plastics") + " SET account = 'a2'");
            pay(101, 1);

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 5);

            assertThat(keysInOrder(events, "a1").get(1)).isEqualTo("100");
            assertThat(events)
                    .filteredOn(event -> "a1".equals(event.key()))
                    .last()
                    .matches(e -> e.data() == null);
            assertThat(events)
                    .filteredOn(event -> event.id().equals("101"))
                    .extracting(Entry::key)
                    .containsOnly("a2");
        }
    }

    private static List<String> keysInOrder(List<Entry> events, String account) {
        return events.stream()
                .filter(event -> account.equals(event.key()))
                .map(Entry::id)
                .toList();
    }

    private void card(int id, String account) throws SQLException {
        bank.execute("INSERT INTO " + bank.table("cards") + " VALUES (" + id + ", '" + account + "')");
    }

    private void pay(int id, int card) throws SQLException {
        bank.execute(payment(id, card));
    }

    private String payment(int id, int card) {
        return "INSERT INTO " + bank.table("transactions") + " VALUES (" + id
                + ", 'none', 1.00, 'DE', 1.5, '2026-01-01 00:00:00Z', " + card + ")";
    }
}
