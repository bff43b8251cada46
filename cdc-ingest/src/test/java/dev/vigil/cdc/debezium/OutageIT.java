package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.debezium.LogReader.Entry;
import dev.vigil.cdc.postgres.SourceChecks;
import dev.vigil.embedded.DatabaseOptions;
import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.embedded.EmbeddedKafkaProcess;
import dev.vigil.event.TopicNames;
import dev.vigil.service.status.ServiceState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed and servers that go away: nothing is lost, and what comes twice is the same. */
final class OutageIT {

    @TempDir
    Path directory;

    @Test
    void shouldLoseNothingWhenItIsKilledAndRepeatOnlyTheSameRecords() throws Exception {
        try (CapturedBank bank = CapturedBank.create(directory)) {
            bank.insertPayments(1, 100);
            Process process = IngestProcess.start(bank);
            try {
                for (int round = 1; round <= 2; round++) {
                    int from = round * 1_000;
                    for (int id = from; id < from + 600; id += 20) {
                        bank.insertPayments(id, id + 19);
                    }
                    int published = 100 + (round - 1) * 600;
                    bank.log.awaitEvents(list -> list.size() > published);
                    process.destroyForcibly().waitFor();
                    process = IngestProcess.start(bank);
                }
                Set<Integer> expected = IntStream.concat(
                                IntStream.rangeClosed(1, 100),
                                IntStream.concat(IntStream.range(1_000, 1_600), IntStream.range(2_000, 2_600)))
                        .boxed()
                        .collect(Collectors.toSet());

                List<Entry> events = bank.log.awaitEvents(list -> ids(list).containsAll(expected));

                assertThat(ids(events)).isEqualTo(expected);
                assertRepeatsAreEqual(events);
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    /** With a heap in which the transaction does not fit. */
    @Test
    void shouldGetThroughAHugeTransactionThoughItIsKilledInTheMiddle() throws Exception {
        int total = 100_000;
        try (CapturedBank bank = CapturedBank.create(directory)) {
            Process process = IngestProcess.start(bank);
            try {
                bank.insertPayments(1, 1);
                bank.log.awaitEvents(list -> list.size() == 1);
                bank.insertPayments(2, total);
                bank.log.awaitEvents(list -> list.size() > total / 3);
                process.destroyForcibly().waitFor();
                process = IngestProcess.start(bank);

                List<Entry> events = bank.log.awaitEvents(list -> ids(list).size() >= total);

                assertThat(ids(events))
                        .isEqualTo(IntStream.rangeClosed(1, total).boxed().collect(Collectors.toSet()));
                assertRepeatsAreEqual(events);
                assertThat(process.isAlive()).isTrue();
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void shouldWaitForABrokerThatIsAway() throws Exception {
        try (CapturedBank bank = CapturedBank.create(directory);
                EmbeddedKafkaProcess broker = EmbeddedKafkaProcess.start(directory.resolve("kafka"))) {
            LogReader log = new LogReader(broker.bootstrapServers(), new TopicNames(bank.name));
            try (CdcIngest ingest =
                    new CdcIngest(bank.config(), bank.kafka(broker.bootstrapServers()), directory, null)) {
                ingest.start();
                bank.insertPayments(1, 10);
                log.awaitEvents(list -> list.size() == 10);

                broker.kill();
                bank.insertPayments(11, 500);
                broker.restart();

                List<Entry> events = log.awaitEvents(list -> ids(list).size() == 500);
                assertThat(ids(events))
                        .isEqualTo(IntStream.rangeClosed(1, 500).boxed().collect(Collectors.toSet()));
                assertRepeatsAreEqual(events);
                assertThat(log.deadLetters()).isEmpty();
                assertThat(ingest.status().state()).isEqualTo(ServiceState.RUNNING);
            }
        }
    }

    @Test
    void shouldCloseWhileTheBrokerIsAway() throws Exception {
        try (CapturedBank bank = CapturedBank.create(directory);
                EmbeddedKafkaProcess broker = EmbeddedKafkaProcess.start(directory.resolve("kafka"))) {
            CdcIngest ingest = new CdcIngest(bank.config(), bank.kafka(broker.bootstrapServers()), directory, null);
            ingest.start();
            broker.kill();
            bank.insertPayments(1, 10);

            ingest.close();

            assertThat(ingest.status().state()).isEqualTo(ServiceState.STOPPED);
        }
    }

    @Test
    void shouldGoOnWhenTheDatabaseComesBack() throws Exception {
        Path data = directory.resolve("postgresql");
        EmbeddedDatabase server = EmbeddedDatabase.start(data);
        DatabaseOptions samePort = DatabaseOptions.defaults().withPort(server.port());
        try (CapturedBank bank = CapturedBank.create(directory, server);
                CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(1, 10);
            bank.log.awaitEvents(list -> list.size() == 10);

            server.close();
            Awaitility.await().until(() -> ingest.status().problem() != null);
            server = EmbeddedDatabase.start(data, samePort);
            bank.insertPayments(11, 20);

            List<Entry> events = bank.log.awaitEvents(list -> ids(list).size() == 20);
            assertThat(events).hasSize(20);
            assertThat(ingest.status().problem()).isNull();
        } finally {
            server.close();
        }
    }

    /** Field case A01. Making a database writes all of it into the log, as of another database than the captured one. */
    @Test
    void shouldLetTheSlotMoveOnWhileOnlyOtherTablesAndDatabasesAreWrittenTo() throws Exception {
        try (CapturedBank bank = CapturedBank.create(directory);
                CdcIngest ingest = bank.ingest()) {
            bank.execute("CREATE TABLE " + bank.table("other") + " (i int)");
            ingest.start();
            bank.insertPayments(1, 1);
            bank.log.awaitEvents(list -> list.size() == 1);
            bank.execute("INSERT INTO " + bank.table("other") + " SELECT generate_series(1, 100000)");
            bank.execute("CREATE DATABASE other_" + bank.name, "DROP DATABASE other_" + bank.name);
            String written = bank.query("SELECT pg_current_wal_lsn()");

            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> bank.query("SELECT confirmed_flush_lsn >= '" + written
                                    + "' FROM pg_replication_slots WHERE slot_name = '" + bank.name + "'")
                            .equals("t"));
            assertThat(ingest.status().rowsRead()).isEqualTo(1);
        }
    }

    /** Field case A07: it runs, and nothing comes. */
    @Test
    void shouldSayThatNothingOfTheLogComes() throws Exception {
        try (CapturedBank bank = CapturedBank.create(directory);
                CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(1, 1);
            bank.log.awaitEvents(list -> list.size() == 1);
            String sender =
                    bank.query("SELECT active_pid FROM pg_replication_slots WHERE slot_name = '" + bank.name + "'");
            signal(sender, "STOP");
            try {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(ingest.status().problem())
                                .contains("expected something of the database's log every 11 s, be it a heartbeat,"
                                        + " found none for "));
                assertThat(ingest.status().state()).isEqualTo(ServiceState.RUNNING);
            } finally {
                signal(sender, "CONT");
            }
            bank.insertPayments(2, 2);
            bank.log.awaitEvents(list -> list.size() == 2);
            Awaitility.await().until(() -> ingest.status().problem() == null);
        }
    }

    private static void signal(String pid, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                .isZero();
    }

    /** A transaction that stays open holds the server's WAL, though all that was committed is captured. */
    @Test
    void shouldCountTheWalThatTheServerKeepsForAnOpenTransaction() throws Exception {
        try (CapturedBank bank = CapturedBank.create(directory);
                CdcIngest ingest = bank.ingest();
                Connection open = bank.connect();
                Statement statement = open.createStatement()) {
            ingest.start();
            bank.insertPayments(1, 1);
            bank.log.awaitEvents(list -> list.size() == 1);
            open.setAutoCommit(false);
            statement.execute("SELECT pg_current_xact_id()");
            bank.execute("SELECT pg_logical_emit_message(false, 'filler', repeat('x', 4000000))");
            String written = bank.query("SELECT pg_current_wal_lsn()");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> bank.query("SELECT confirmed_flush_lsn >= '" + written
                                    + "' FROM pg_replication_slots WHERE slot_name = '" + bank.name + "'")
                            .equals("t"));

            assertThat(SourceChecks.slotLagBytes(open, bank.name).orElseThrow()).isGreaterThan(4_000_000);
            open.rollback();
        }
    }

    private static void assertRepeatsAreEqual(List<Entry> events) {
        Map<String, Entry> first = new HashMap<>();
        for (Entry event : events) {
            Entry earlier = first.putIfAbsent(event.id(), event);
            // The snapshot may give a row again that the stream gave, and says so.
            if (earlier != null) {
                assertThat(event.data()).isEqualTo(earlier.data());
                assertThat(event.key()).isEqualTo(earlier.key());
                assertThat(event.time()).isEqualTo(earlier.time());
                assertThat(event.type()).isEqualTo(earlier.type());
            }
        }
    }

    private static Set<Integer> ids(List<Entry> events) {
        return events.stream().map(event -> Integer.parseInt(event.id())).collect(Collectors.toSet());
    }
}
