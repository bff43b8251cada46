package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.debezium.LogReader.Entry;
import java.nio.file.Path;
import java.util.List;
import java.util.TimeZone;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the several kinds of changes become, from the snapshot and from the stream. */
final class ChangesIT {

    private static final String ACCOUNT = "vigil.reference.account";

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
    void shouldSendAmountsThatAreNoNumbersToTheDeadLettersAndGoOn() throws Exception {
        insertPayment(1, "'NaN'");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitDeadLetters(1);
            insertPayment(2, "'Infinity'");
            insertPayment(3, "12345678901234567890.123456789");

            List<Entry> letters = bank.log.awaitDeadLetters(2);
            List<Entry> events = bank.log.awaitEvents(list -> !list.isEmpty());

            assertThat(letters).allSatisfy(letter -> {
                assertThat(letter.headers()).containsEntry("vigil-reason", "bad_amount");
                assertThat(letter.headers()).containsEntry("vigil-stage", "cdc-ingest");
                assertThat(letter.headers()).containsEntry("ce_source", bank.source("transactions"));
                assertThat(letter.headers().get("vigil-detail")).contains("amount: expected a finite decimal");
                assertThat(letter.field("account_id")).isEqualTo("a1");
            });
            assertThat(letters).extracting(Entry::key).containsExactlyInAnyOrder("1", "2");
            assertThat(events).extracting(Entry::id).containsExactly("3");
            assertThat(events.get(0).field("amount")).isEqualTo("12345678901234567890.123456789");
        }
    }

    @Test
    void shouldPublishEachChangeOfAReferenceRowWithAnIdentityOfItsOwn() throws Exception {
        insertAccount("a1", "DE");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() == 1);
            bank.execute("UPDATE " + bank.table("accounts") + " SET home_country = 'FR'");
            bank.execute("DELETE FROM " + bank.table("accounts"));
            insertAccount("a1", "IT");

            List<Entry> rows = bank.log.awaitEvents(list -> list.size() >= 4);

            assertThat(rows).allMatch(row -> row.type().equals(ACCOUNT)).allMatch(row -> "a1".equals(row.key()));
            assertThat(rows).extracting(Entry::id).doesNotHaveDuplicates().allMatch(id -> id.startsWith("a1@"));
            assertThat(rows).extracting(Entry::backfill).containsExactly(true, false, false, false);
            assertThat(rows.get(0).field("home_country")).isEqualTo("DE");
            assertThat(rows.get(1).field("home_country")).isEqualTo("FR");
            assertThat(rows.get(1).field("credit_limit")).isEqualTo("1000.00");
            assertThat(rows.get(2).data()).isNull();
            assertThat(rows.get(3).field("home_country")).isEqualTo("IT");
        }
    }

    @Test
    void shouldKeepALargeValueThatAnUpdateLeavesUnchanged() throws Exception {
        String notes = "(SELECT string_agg(md5(i::text), '') FROM generate_series(1, 400) i)";
        insertAccount("a1", "DE");
        bank.execute("UPDATE " + bank.table("accounts") + " SET notes = " + notes);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            String stored = bank.log
                    .awaitEvents(list -> list.size() == 1)
                    .get(0)
                    .field("notes")
                    .toString();
            bank.execute("UPDATE " + bank.table("accounts") + " SET home_country = 'FR'");
            List<Entry> rows = bank.log.awaitEvents(list -> list.size() == 2);

            assertThat(stored).hasSize(12_800);
            assertThat(rows.get(1).field("home_country")).isEqualTo("FR");
            assertThat(rows.get(1).field("notes")).isEqualTo(stored);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "bytea", "jsonb"})
    void shouldFillInALargeValueThatIsNotLoggedFromTheRowBefore(String type) throws Exception {
        useDefaultIdentity(type);
        insertAccount("a1", "DE");
        setLargeNotes(type);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            Object stored =
                    bank.log.awaitEvents(list -> list.size() == 1).get(0).field("notes");
            bank.execute("UPDATE " + bank.table("accounts") + " SET home_country = 'FR'");
            bank.execute("UPDATE " + bank.table("accounts") + " SET home_country = 'IT'");

            List<Entry> rows = bank.log.awaitEvents(list -> list.size() == 3);

            assertThat(stored.toString()).hasSizeGreaterThan(12_000);
            assertThat(rows).extracting(row -> row.field("home_country")).containsExactly("DE", "FR", "IT");
            assertThat(rows).extracting(row -> row.field("notes")).containsOnly(stored);
            assertThat(bank.log.deadLetters()).isEmpty();
        }
    }

    private void useDefaultIdentity(String notesType) throws Exception {
        bank.execute(
                "ALTER TABLE " + bank.table("accounts") + " REPLICA IDENTITY DEFAULT",
                "ALTER TABLE " + bank.table("accounts") + " ALTER notes TYPE " + notesType + " USING NULL");
    }

    private void setLargeNotes(String type) throws Exception {
        bank.execute("UPDATE " + bank.table("accounts")
                + " SET notes = (SELECT '\"' || string_agg(md5(i::text), '') || '\"' FROM generate_series(1, 400) i)::"
                + type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "bytea", "jsonb"})
    void shouldRefuseALargeValueThatIsNotKnownRatherThanInventOne(String type) throws Exception {
        useDefaultIdentity(type);
        insertAccount("a1", "DE");
        setLargeNotes(type);
        bank.execute("ALTER TABLE " + bank.table("accounts") + " ALTER credit_limit TYPE numeric USING 'NaN'");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitDeadLetters(1); // so the row is not known
            bank.execute("UPDATE " + bank.table("accounts") + " SET home_country = 'FR', credit_limit = 1");
            bank.execute("DELETE FROM " + bank.table("accounts"));

            List<Entry> letters = bank.log.awaitDeadLetters(2).stream()
                    .filter(letter -> "bad_field".equals(letter.headers().get("vigil-reason")))
                    .toList();
            List<Entry> rows = bank.log.awaitEvents(list -> list.size() == 1);

            assertThat(letters.get(0).headers()).containsEntry("vigil-reason", "bad_field");
            assertThat(letters.get(0).headers().get("vigil-detail")).contains("notes: expected a value");
            assertThat(letters.get(0).toString()).doesNotContain("__vigil_unchanged");
            assertThat(rows.get(0).key()).isEqualTo("a1");
            assertThat(rows.get(0).data()).isNull();
        }
    }

    @Test
    void shouldNotTakeAChangedPrimaryKeyForAnotherEvent() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            insertPayment(1, "1.00");
            bank.log.awaitEvents(list -> list.size() == 1);
            bank.execute("UPDATE " + bank.table("transactions") + " SET transaction_id = 100");
            insertPayment(2, "2.00");

            List<Entry> events = bank.log.awaitEvents(list -> list.size() >= 2);

            assertThat(events).extracting(Entry::id).containsExactly("1", "2");
            assertThat(ingest.status().skipped()).isEqualTo(2);
        }
    }

    @Test
    void shouldTakeAReferenceBackWhoseKeyChanged() throws Exception {
        bank.execute("ALTER TABLE " + bank.table("accounts") + " REPLICA IDENTITY DEFAULT");
        insertAccount("a1", "DE");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() == 1);
            bank.execute("UPDATE " + bank.table("accounts") + " SET account_id = 'a2'");

            List<Entry> rows = bank.log.awaitEvents(list -> list.size() == 3);

            assertThat(rows).filteredOn(row -> "a1".equals(row.key())).last().matches(row -> row.data() == null);
            assertThat(rows)
                    .filteredOn(row -> "a2".equals(row.key()))
                    .singleElement()
                    .satisfies(row -> assertThat(row.field("home_country")).isEqualTo("DE"));
        }
    }

    @Test
    void shouldTakeAllReferencesBackThatATruncateRemoves() throws Exception {
        insertAccount("a1", "DE");
        insertAccount("a2", "FR");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() == 2);
            bank.execute("TRUNCATE " + bank.table("accounts") + ", " + bank.table("transactions"));
            insertAccount("a3", "IT");

            List<Entry> rows = bank.log.awaitEvents(list -> list.size() == 5);

            assertThat(rows)
                    .filteredOn(row -> row.data() == null)
                    .extracting(Entry::key)
                    .containsExactlyInAnyOrder("a1", "a2");
            assertThat(rows).extracting(Entry::id).doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldTakeReferencesBackThatWereDeletedWhileTheSlotWasGone() throws Exception {
        insertAccount("a1", "DE");
        insertAccount("a2", "FR");
        insertAccount("a3", "IT");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() == 3);
        }
        bank.awaitSlotFree();
        bank.dropSlot();
        bank.execute("DELETE FROM " + bank.table("accounts") + " WHERE account_id = 'a2'");
        bank.acceptGap();
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();

            List<Entry> rows = bank.log.awaitEvents(list -> list.size() == 6);

            assertThat(rows)
                    .filteredOn(row -> row.data() == null)
                    .extracting(Entry::key)
                    .containsExactly("a2");
            assertThat(rows).extracting(Entry::id).doesNotHaveDuplicates();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(ingest.status().vanished()).isEqualTo(1));
        }
    }

    @Test
    void shouldReadColumnsThatWereSwappedAndNewLabelsOfAnEnum() throws Exception {
        String table = bank.table("transactions");
        bank.execute(
                "CREATE TYPE " + bank.table("land") + " AS ENUM ('DE')",
                "ALTER TABLE " + table + " ADD other text",
                "ALTER TABLE " + table + " ALTER country TYPE " + bank.table("land") + " USING NULL");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            insertPayment(1, "1.00");
            bank.log.awaitEvents(list -> list.size() == 1);
            bank.execute("ALTER TYPE " + bank.table("land") + " ADD VALUE 'XK'");
            bank.execute("INSERT INTO " + table + " VALUES (2, 'a1', 2, 'XK', 1.5, now(), 'old')");
            bank.execute("INSERT INTO " + table + " VALUES (3, 'a1', 3, 'DE', 1.5, now(), 'old')");
            bank.execute(
                    "ALTER TABLE " + table + " RENAME country TO swap",
                    "ALTER TABLE " + table + " RENAME other TO country",
                    "ALTER TABLE " + table + " RENAME swap TO other",
                    "INSERT INTO " + table + " VALUES (4, 'a1', 4, 'XK', 1.5, now(), 'new')");

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 4);

            assertThat(events).extracting(Entry::id).containsExactly("1", "2", "3", "4");
            assertThat(events).extracting(event -> event.field("country")).containsExactly("DE", "XK", "DE", "new");
        }
    }

    @Test
    void shouldPublishLabelsThatNameTheirEvent() throws Exception {
        insertPayment(7, "1.00");
        bank.execute("INSERT INTO " + bank.table("fraud_labels") + " VALUES (7, 'a1', false, '2026-02-01 00:00:00Z')");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() == 2);
            bank.execute("UPDATE " + bank.table("fraud_labels") + " SET is_fraud = true");
            bank.execute("DELETE FROM " + bank.table("fraud_labels"));

            List<Entry> labels = bank.log.awaitEvents(list -> list.size() == 3).stream()
                    .filter(e -> e.type().equals("vigil.label"))
                    .toList();

            assertThat(labels).hasSize(2).allSatisfy(label -> {
                assertThat(label.key()).isEqualTo("a1");
                assertThat(label.time()).isEqualTo("2026-02-01T00:00:00Z");
                assertThat(label.field("event_source")).isEqualTo(bank.source("transactions"));
                assertThat(label.field("event_id")).isEqualTo("7");
                assertThat(label.field("label")).isEqualTo("fraud");
            });
            assertThat(labels).extracting(Entry::id).first().isEqualTo("7");
            assertThat(labels).extracting(label -> label.field("value")).containsExactly("false", "true");
        }
    }

    @Test
    void shouldReadTimesAlikeFromSnapshotAndStreamInAnyTimeZone() throws Exception {
        TimeZone before = TimeZone.getDefault();
        try {
            // 02:30 on that day does not exist in Berlin.
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
            bank.execute(
                    "INSERT INTO " + bank.table("accounts") + " VALUES ('a1', 'DE', '2024-03-31 02:30:00', 1, NULL)");
            insertPayment(1, "1.00", "2024-03-31 02:30:00.123456+00");
            try (CdcIngest ingest = bank.ingest()) {
                ingest.start();
                bank.log.awaitEvents(list -> list.size() == 2);
                TimeZone.setDefault(TimeZone.getTimeZone("America/Caracas"));
                bank.execute("INSERT INTO " + bank.table("accounts")
                        + " VALUES ('a2', 'DE', '2024-03-31 02:30:00', 1, NULL)");
                insertPayment(2, "1.00", "2024-03-31 04:30:00.123456+02");
                insertPayment(3, "1.00", "infinity");

                List<Entry> events = bank.log.awaitEvents(list -> list.size() == 4);
                List<Entry> letters = bank.log.awaitDeadLetters(1);

                assertThat(events)
                        .filteredOn(event -> event.type().equals("transaction"))
                        .extracting(Entry::time)
                        .containsExactly("2024-03-31T02:30:00.123456Z", "2024-03-31T02:30:00.123456Z");
                assertThat(events)
                        .filteredOn(event -> event.type().equals(ACCOUNT))
                        .extracting(event -> event.field("opened_at"))
                        .containsExactly("2024-03-31T02:30:00Z", "2024-03-31T02:30:00Z");
                assertThat(letters.get(0).headers()).containsEntry("vigil-reason", "time_out_of_range");
            }
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void shouldReadEachRowByTheSchemaItWasWrittenWith() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            insertPayment(1, "1.00");
            bank.log.awaitEvents(list -> list.size() == 1);
            String table = bank.table("transactions");
            bank.execute(
                    "ALTER TABLE " + table + " ADD c int",
                    "INSERT INTO " + table + " VALUES (2, 'a1', 2.00, 'FR', 1.5, now(), 5)",
                    "ALTER TABLE " + table + " DROP country",
                    "INSERT INTO " + table + " VALUES (3, 'a1', 3.00, 1.5, now(), 5)",
                    "ALTER TABLE " + table + " ADD country text",
                    "TRUNCATE " + table,
                    "INSERT INTO " + table + " VALUES (4, 'a1', 4.00, 1.5, now(), 5, 'IT')");

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 3);
            List<Entry> letters = bank.log.awaitDeadLetters(1);

            assertThat(events).extracting(Entry::id).containsExactlyInAnyOrder("1", "2", "4");
            assertThat(events).extracting(event -> event.field("country")).containsExactlyInAnyOrder("DE", "FR", "IT");
            assertThat(letters).extracting(Entry::key).containsExactly("3");
            assertThat(letters.get(0).headers().get("vigil-detail"))
                    .contains("country: expected a column of that name");
        }
    }

    private void insertAccount(String account, String country) throws Exception {
        bank.execute("INSERT INTO " + bank.table("accounts") + " VALUES ('" + account + "', '" + country
                + "', '2020-01-01 00:00:00', 1000.00, NULL)");
    }

    private void insertPayment(int id, String amount) throws Exception {
        insertPayment(id, amount, "2026-01-01 00:00:00Z");
    }

    private void insertPayment(int id, String amount, String time) throws Exception {
        bank.execute("INSERT INTO " + bank.table("transactions") + " VALUES (" + id + ", 'a1', " + amount
                + ", 'DE', 1.5, '" + time + "')");
    }
}
