package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.debezium.LogReader.Entry;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that are read again because somebody asked for them, while the stream goes on. */
final class SnapshotOnDemandIT {

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
    void shouldReadTheRowsThatWereAskedForAgainAsTheSameEvents() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            Awaitility.await().until(() -> ingest.status().phase().equals("streaming"));
            bank.insertPayments(1, 20);
            bank.log.awaitEvents(list -> list.size() == 20);

            SnapshotRequests.add(directory, bank.table("transactions"), "transaction_id <= 5");

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 25);
            List<Entry> again = events.stream().filter(Entry::backfill).toList();
            assertThat(ids(again)).isEqualTo(between(1, 5));
            assertThat(again).allSatisfy(event -> {
                Entry first = events.stream()
                        .filter(other -> other.id().equals(event.id()) && !other.backfill())
                        .findFirst()
                        .orElseThrow();
                assertThat(event.key()).isEqualTo(first.key());
                assertThat(event.data()).isEqualTo(first.data());
                assertThat(event.time()).isEqualTo(first.time());
            });
            bank.insertPayments(21, 21);
            bank.log.awaitEvents(list -> list.size() == 26);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(ingest.status().snapshot()).isNull());
            assertThat(ingest.status().phase()).isEqualTo("streaming");
        }
    }

    /** Where no column says when, the time of the reading does. */
    @Test
    void shouldGiveReferencesThatAreReadAgainATimeOfTheirOwn() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            Awaitility.await().until(() -> ingest.status().phase().equals("streaming"));
            String before = bank.query("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS')");
            bank.execute("INSERT INTO " + bank.table("accounts") + " VALUES ('a1', 'DE', '2020-01-01', 1.00, '')");
            bank.log.awaitEvents(list -> list.size() == 1);

            SnapshotRequests.add(directory, bank.table("accounts"), null);

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 2);
            assertThat(events).allSatisfy(event -> assertThat(event.time()).isGreaterThanOrEqualTo(before));
        }
    }

    @Test
    void shouldFinishWhatWasAskedForAfterARestart() throws Exception {
        bank.execute(
                "CREATE TABLE " + bank.table("logins") + " (id bigint PRIMARY KEY, account_id text, at timestamptz)");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(1, 1);
            bank.log.awaitEvents(list -> list.size() == 1);
        }
        bank.awaitSlotFree();
        // Before the table is mapped, so that the stream does not see them.
        bank.execute("INSERT INTO " + bank.table("logins") + " SELECT i, 'a1', '2026-01-01 00:00:00Z'"
                + " FROM generate_series(1, 15000) i");
        bank.map("logins", "{event: login, account: account_id, time: at, fields: {}}");
        SnapshotRequests.add(directory, bank.table("logins"), null);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() > 2_000);
        }
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();

            List<Entry> logins =
                    bank.log.awaitEvents(list -> ids(ofType(list, "login")).size() >= 15_000);

            assertThat(ids(ofType(logins, "login"))).isEqualTo(between(1, 15_000));
        }
    }

    @Test
    void shouldBringBackARowWhoseAccountWasMissing() throws Exception {
        bank.payThroughCards("account_id");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.execute("INSERT INTO " + bank.table("transactions")
                    + " VALUES (100, 'none', 1.00, 'DE', 1.5, '2026-01-01 00:00:00Z', 1)");
            bank.log.awaitDeadLetters(1);
            bank.execute("INSERT INTO " + bank.table("cards") + " VALUES (1, 'a1')");
            Awaitility.await().until(() -> ingest.status().kept() == 1);

            SnapshotRequests.add(directory, bank.table("transactions"), "transaction_id = 100");

            List<Entry> events = bank.log.awaitEvents(list -> !list.isEmpty());
            assertThat(events).extracting(Entry::key).containsExactly("a1");
            assertThat(events).extracting(Entry::id).containsExactly("100");
        }
    }

    private static List<Entry> ofType(List<Entry> events, String type) {
        return events.stream().filter(event -> event.type().equals(type)).toList();
    }

    private static Set<Integer> ids(List<Entry> events) {
        return events.stream().map(event -> Integer.parseInt(event.id())).collect(Collectors.toSet());
    }

    private static Set<Integer> between(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().collect(Collectors.toSet());
    }
}
