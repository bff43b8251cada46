package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.debezium.LogReader.Entry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** Positions in the database's log that several changes share, or that do not only go up. */
final class SharedPositionsIT {

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

    /** COPY writes many rows as one record of the log; a process that is killed between two of them must not lose the rest. */
    @Test
    void shouldLoseNoneOfTheRowsThatShareAPositionWhenItIsKilledBetweenThem() throws Exception {
        int total = 60_000;
        Process process = IngestProcess.start(bank);
        try {
            bank.insertPayments(1, 1);
            bank.log.awaitEvents(list -> list.size() == 1);
            copyPayments(2, total);
            for (int kill = 1; kill <= 3; kill++) {
                int least = kill * 8_000;
                bank.log.awaitEvents(list -> list.size() > least);
                process.destroyForcibly().waitFor();
                process = IngestProcess.start(bank);
            }
            List<Entry> events = bank.log.awaitEvents(list -> ids(list).size() >= total);
            assertThat(ids(events)).isEqualTo(between(1, total));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** The end of a commit is where the next transaction's first change stands, if nothing else was written. */
    @Test
    void shouldDeliverATransactionThatBeginsWhereTheOneBeforeEnded() throws Exception {
        int rounds = 4;
        for (int round = 0; round < rounds; round++) {
            int first = round * 10 + 1;
            try (CdcIngest ingest = bank.ingest()) {
                ingest.start();
                bank.insertPayments(first, first);
                bank.log.awaitEvents(list -> ids(list).contains(first));
                Awaitility.await().until(() -> ingest.status().phase().equals("streaming"));
            }
            bank.insertPayments(first + 1, first + 1);
            bank.insertPayments(first + 2, first + 3);
        }
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            List<Entry> events = bank.log.awaitEvents(list -> ids(list).size() >= rounds * 4);

            for (int round = 0; round < rounds; round++) {
                assertThat(ids(events)).containsAll(between(round * 10 + 1, round * 10 + 4));
            }
        }
    }

    @Test
    void shouldGoOnInsideATransactionThatBeganBeforeOthersAndEndedAfterThem() throws Exception {
        try (Connection early = bank.connect();
                CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(1, 1);
            bank.log.awaitEvents(list -> list.size() == 1);
            early.setAutoCommit(false);
            insert(early, 1_000, 3_000);
            bank.insertPayments(2, 5);
            bank.log.awaitEvents(list -> list.size() == 5);
            insert(early, 3_001, 5_000);
            bank.insertPayments(6, 9);
            early.commit();
            bank.log.awaitEvents(list -> list.size() >= 9 + 100);
        }
        for (int restart = 0; restart < 2; restart++) {
            int extra = 10 + restart;
            try (CdcIngest ingest = bank.ingest()) {
                ingest.start();
                bank.insertPayments(extra, extra);
                bank.log.awaitEvents(list -> ids(list).contains(extra));
            }
        }
        Set<Integer> expected = between(1, 11);
        expected.addAll(between(1_000, 5_000));
        assertThat(ids(bank.log.events())).isEqualTo(expected);
    }

    @Test
    void shouldGoOnAfterAKillWhileTransactionsAreInterleaved() throws Exception {
        Process process = IngestProcess.start(bank);
        try (Connection one = bank.connect();
                Connection two = bank.connect()) {
            bank.insertPayments(1, 1);
            bank.log.awaitEvents(list -> list.size() == 1);
            one.setAutoCommit(false);
            two.setAutoCommit(false);
            for (int i = 0; i < 20; i++) {
                insert(one, 1_000 + i * 100, 1_099 + i * 100);
                insert(two, 5_000 + i * 100, 5_099 + i * 100);
            }
            two.commit();
            bank.log.awaitEvents(list -> list.size() > 100);
            one.commit();
            process.destroyForcibly().waitFor();
            process = IngestProcess.start(bank);
            Set<Integer> expected = between(1, 1);
            expected.addAll(between(1_000, 2_999));
            expected.addAll(between(5_000, 6_999));

            List<Entry> events = bank.log.awaitEvents(list -> ids(list).size() >= expected.size());

            assertThat(ids(events)).isEqualTo(expected);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private void copyPayments(int from, int to) throws Exception {
        StringBuilder rows = new StringBuilder();
        for (int id = from; id <= to; id++) {
            rows.append(id).append("\ta").append(id % 7).append("\t1.25\tDE\t52.5\t2026-01-01 00:00:00Z\n");
        }
        try (Connection connection = bank.connect()) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "COPY " + bank.table("transactions") + " FROM STDIN",
                            new java.io.StringReader(rows.toString()));
        }
    }

    private void insert(Connection connection, int from, int to) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO " + bank.table("transactions")
                    + " SELECT i, 'a' || (i % 7), 1, 'DE', 52.5, '2026-01-01 00:00:00Z' FROM generate_series(" + from
                    + ", " + to + ") i");
        }
    }

    private static Set<Integer> ids(List<Entry> events) {
        return events.stream()
                .map(event -> Integer.parseInt(event.id()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<Integer> between(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().collect(Collectors.toCollection(TreeSet::new));
    }
}
