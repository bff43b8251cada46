package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.cdc.debezium.LogReader.Entry;
import dev.vigil.cdc.rocksdb.StoreLog;
import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.service.ServiceException;
import dev.vigil.service.status.ServiceState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that cannot give what is between: named with both positions, never passed over, and never tried for ever. */
final class GapIT {

    @TempDir
    Path directory;

    private EmbeddedDatabase server;
    private CapturedBank bank;

    @BeforeEach
    void captureOnce() throws Exception {
        server = EmbeddedDatabase.start(directory.resolve("first"));
        bank = CapturedBank.create(directory, server);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(1, 3);
            bank.log.awaitEvents(list -> list.size() == 3);
        }
        bank.awaitSlotFree();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldNameTheGapWhenTheServerGaveUpOnTheSlot() throws Exception {
        bank.execute(
                "ALTER SYSTEM SET max_slot_wal_keep_size = '16MB'",
                "ALTER SYSTEM SET max_wal_size = '32MB'",
                "ALTER SYSTEM SET min_wal_size = '32MB'",
                "SELECT pg_reload_conf()");
        bank.insertPayments(4, 6);
        for (int segment = 0; segment < 8; segment++) {
            bank.execute("SELECT pg_logical_emit_message(false, 'filler', 'x')", "SELECT pg_switch_wal()");
        }
        bank.execute("CHECKPOINT");
        assertThat(bank.query("SELECT wal_status FROM pg_replication_slots")).isEqualTo("lost");

        assertGap("found that the server has removed WAL the slot needs (wal_status = lost");
        assertGap("wal_status = lost");
        assertThat(bank.log.events()).hasSize(3);

        bank.acceptGap();
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            assertThat(ids(bank.log.awaitEvents(list -> list.size() == 9))).contains("4", "5", "6");
        }
    }

    /** A standby that was promoted has no slots of the server that it followed. */
    @Test
    void shouldNameTheGapWhenAStandbyWithoutTheSlotTookOver() throws Exception {
        try (EmbeddedDatabase standby = standby()) {
            promote(standby);
            bank = bank.on(standby);
            bank.insertPayments(4, 8);

            assertGap("found no such slot on the server");
            assertThat(bank.log.events()).hasSize(3);

            bank.acceptGap();
            try (CdcIngest ingest = bank.ingest()) {
                ingest.start();
                assertThat(ids(bank.log.awaitEvents(list -> list.size() == 11))).contains("4", "5", "6", "7", "8");
            }
        }
    }

    /** The standby had not got all that was read from the first server; its log says something else there. */
    @Test
    void shouldNameTheGapWhenTheServersHistoryPartedBeforeThePosition() throws Exception {
        try (EmbeddedDatabase standby = standby()) {
            server.close();
            promote(standby);
            CapturedBank promoted = bank.on(standby);
            promoted.execute("SELECT pg_create_logical_replication_slot('" + bank.name + "', 'pgoutput')");
            server = EmbeddedDatabase.start(directory.resolve("first"));
            bank.insertPayments(100, 110);
            try (CdcIngest ingest = bank.ingest()) {
                ingest.start();
                bank.log.awaitEvents(list -> list.size() == 14);
            }
            server.close();
            bank = promoted;
            bank.insertPayments(4, 8);
            for (int segment = 0; segment < 3; segment++) {
                bank.execute("SELECT pg_logical_emit_message(false, 'filler', 'x')", "SELECT pg_switch_wal()");
            }

            assertGap("found timeline 2, which left timeline 1 at ");
            assertThat(ids(bank.log.events())).doesNotContain("4");
        }
    }

    /** A slot that came along, and a standby that had all: nothing is missing. */
    @Test
    void shouldGoOnWhereTheServersHistoryPartedAfterThePosition() throws Exception {
        try (EmbeddedDatabase standby = standby()) {
            CapturedBank promoted = bank.on(standby);
            String written = bank.query("SELECT pg_current_wal_lsn()");
            Awaitility.await()
                    .until(() -> promoted.query("SELECT pg_last_wal_replay_lsn() >= '" + written + "'")
                            .equals("t"));
            Path slot = directory.resolve("first/pgdata/pg_replslot").resolve(bank.name);
            server.close();
            standby.close();
            copy(slot, directory.resolve("second/pgdata/pg_replslot").resolve(bank.name));
            try (EmbeddedDatabase again = EmbeddedDatabase.start(directory.resolve("second"))) {
                promote(again);
                bank = bank.on(again);
                bank.insertPayments(4, 8);
                for (int run = 0; run < 2; run++) {
                    try (CdcIngest ingest = bank.ingest()) {
                        ingest.start();
                        bank.log.awaitEvents(list -> list.size() >= 8);
                        assertThat(ingest.status().problem()).isNull();
                    }
                    bank.awaitSlotFree();
                }
                assertThat(ids(bank.log.events())).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6", "7", "8");
            }
        }
    }

    /** Another server: its log positions say nothing of the first one's, and its slot would skip up to the stored one. */
    @Test
    void shouldNameTheGapWhenAnotherServerIsInThePlaceOfTheFirst() throws Exception {
        try (EmbeddedDatabase other = EmbeddedDatabase.start(directory.resolve("other"))) {
            CapturedBank elsewhere = bank.on(other);
            elsewhere.createTables();
            elsewhere.execute("SELECT pg_create_logical_replication_slot('" + bank.name + "', 'pgoutput')");
            bank = elsewhere;
            bank.insertPayments(4, 8);

            assertGap("found another server, system identifier ");
        }
    }

    /** A copy of the server's disk of an earlier time: the log that was read is gone from it. */
    @Test
    void shouldNameTheGapWhenTheServerWasSetBackBeforeThePosition() throws Exception {
        server.close();
        copy(directory.resolve("first/pgdata"), directory.resolve("earlier/pgdata"));
        server = EmbeddedDatabase.start(directory.resolve("first"));
        bank = bank.on(server);
        bank.execute("SELECT pg_logical_emit_message(false, 'filler', 'x')", "SELECT pg_switch_wal()");
        bank.insertPayments(4, 8);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() == 8);
        }
        bank.awaitSlotFree();
        try (EmbeddedDatabase earlier = EmbeddedDatabase.start(directory.resolve("earlier"))) {
            bank = bank.on(earlier);

            assertGap("found a server whose log ends at ");
        }
    }

    @Test
    void shouldNameTheGapWhenACapturedTableHasLeftThePublication() throws Exception {
        bank.execute("ALTER PUBLICATION " + bank.name + " DROP TABLE " + bank.table("transactions"));
        bank.insertPayments(4, 6);

        assertGap("does not hold [" + bank.table("transactions") + "] any more");
        assertGap("does not hold [" + bank.table("transactions") + "] any more");

        readAnew();
    }

    @Test
    void shouldNameTheGapWhenAnotherTableHasTheNameOfACapturedOne() throws Exception {
        String table = bank.table("transactions");
        bank.execute(
                "ALTER TABLE " + table + " RENAME TO earlier",
                "CREATE TABLE " + table + " (LIKE " + bank.table("earlier") + " INCLUDING ALL)",
                "INSERT INTO " + table + " SELECT * FROM " + bank.table("earlier"),
                "DROP TABLE " + bank.table("earlier"));
        bank.insertPayments(4, 6);

        assertGap("does not hold [" + table + "] any more");

        readAnew();
    }

    /** Making it again would not help: the server reads it as it was where the stream stands. */
    @Test
    void shouldStopAndNameTheGapWhenThePublicationIsDroppedWhileItRuns() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            Awaitility.await().until(() -> ingest.status().phase().equals("streaming"));
            bank.execute("DROP PUBLICATION " + bank.name);
            bank.insertPayments(4, 6);

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> ingest.status().state() == ServiceState.FAILED);
            assertThat(ingest.status().problem())
                    .contains("found no publication " + bank.name)
                    .contains("cdc.accept-gap: true");
        }
        bank.awaitSlotFree();
        assertGap("found no publication " + bank.name);
        assertThat(bank.query("SELECT count(*) FROM pg_publication")).isEqualTo("0");

        readAnew();
    }

    @Test
    void shouldTellWhileItRunsThatATableHasLeftThePublication() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            Awaitility.await()
                    .until(() -> ingest.status().phase().equals("streaming")
                            && ingest.status().slotLagBytes() != null);
            assertThat(ingest.status().problem()).isNull();
            bank.execute("ALTER PUBLICATION " + bank.name + " DROP TABLE " + bank.table("transactions"));

            Awaitility.await()
                    .untilAsserted(() -> assertThat(ingest.status().problem())
                            .contains("found it without [" + bank.table("transactions") + "]"));
            assertThat(ingest.status().state()).isEqualTo(ServiceState.RUNNING);

            bank.execute("ALTER PUBLICATION " + bank.name + " ADD TABLE " + bank.table("transactions"));
            bank.insertPayments(4, 6);
            bank.log.awaitEvents(list -> list.size() == 6);
            assertThat(ingest.status().problem()).contains("rows written meanwhile are lost to the stream");
        }
    }

    /** What the slot gives of the rows between depends on the server's caches; what was lost cannot be told afterwards. */
    @Test
    void shouldNameTheGapWhenThePublicationWasDroppedAndMadeAgain() throws Exception {
        String tables = bank.table("transactions") + ", " + bank.table("accounts") + ", " + bank.table("fraud_labels");
        bank.execute("DROP PUBLICATION " + bank.name);
        bank.insertPayments(4, 6);
        bank.execute("CREATE PUBLICATION " + bank.name + " FOR TABLE " + tables);

        assertGap("found that publication " + bank.name + " was dropped and made again");
        assertGap("found that publication " + bank.name + " was dropped and made again");

        readAnew();
    }

    @Test
    void shouldNameTheGapWhenATableWasTakenOutAndPutBack() throws Exception {
        bank.execute("ALTER PUBLICATION " + bank.name + " DROP TABLE " + bank.table("transactions"));
        bank.insertPayments(4, 6);
        bank.execute("ALTER PUBLICATION " + bank.name + " ADD TABLE " + bank.table("transactions"));

        assertGap("found that [" + bank.table("transactions") + "] was taken out of publication " + bank.name
                + " and put back");

        readAnew();
    }

    @Test
    void shouldTellWhileItRunsAndAtTheNextStartThatATableWasTakenOutAndPutBack() throws Exception {
        String table = bank.table("transactions");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            Awaitility.await().until(() -> ingest.status().slotLagBytes() != null);
            bank.execute("ALTER PUBLICATION " + bank.name + " DROP TABLE " + table + "; INSERT INTO " + table
                    + " (transaction_id) VALUES (4); ALTER PUBLICATION " + bank.name + " ADD TABLE " + table);

            Awaitility.await()
                    .untilAsserted(() -> assertThat(ingest.status().problem())
                            .contains("found that [" + table + "] was taken out of publication " + bank.name
                                    + " and put back; rows written meanwhile are lost to the stream"));
            assertThat(ingest.status().state()).isEqualTo(ServiceState.RUNNING);
        }
        bank.awaitSlotFree();
        assertGap("found that [" + table + "] was taken out of publication " + bank.name + " and put back");
    }

    @Test
    void shouldStopAndNameTheGapWhenThePublicationIsMadeAgainBeforeTheNextLook() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            Awaitility.await().until(() -> ingest.status().phase().equals("streaming"));
            bank.execute("DROP PUBLICATION " + bank.name);
            bank.insertPayments(4, 6);
            bank.execute("CREATE PUBLICATION " + bank.name + " FOR ALL TABLES");

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> ingest.status().state() == ServiceState.FAILED);
            assertThat(ingest.status().problem()).contains("was dropped and made again");
        }
        bank.awaitSlotFree();
        assertGap("found that publication " + bank.name + " was dropped and made again");
    }

    /** A schema holds its tables through one entry; the table of another schema is put in beside it and takes nothing away. */
    @Test
    void shouldNameTheGapWhenTheSchemaThatHoldsTheTablesWasTakenOutAndPutBack() throws Exception {
        bank.execute(
                "DROP PUBLICATION " + bank.name,
                "CREATE PUBLICATION " + bank.name + " FOR TABLES IN SCHEMA " + bank.name);
        bank.acceptGap();
        assertGoesOn(4);
        bank = bank.on(server);
        bank.execute("CREATE TABLE public.more (id bigint PRIMARY KEY, account_id text)");
        bank.mapOf("public", "more", "{lookup: more, account: account_id}");
        assertGoesOn(5);
        assertGoesOn(6);
        assertThat(bank.query("SELECT count(*) FROM pg_publication_namespace")).isEqualTo("1");
        bank.execute(
                "ALTER PUBLICATION " + bank.name + " DROP TABLES IN SCHEMA " + bank.name,
                "ALTER PUBLICATION " + bank.name + " ADD TABLES IN SCHEMA " + bank.name);

        assertGap("found that [" + bank.table("accounts"));
    }

    /** It holds a table that is made later from the first row on. */
    @Test
    void shouldGoOnWithAPublicationOfAllTables() throws Exception {
        bank.execute("DROP PUBLICATION " + bank.name, "CREATE PUBLICATION " + bank.name + " FOR ALL TABLES");
        bank.acceptGap();
        assertGoesOn(4);
        bank = bank.on(server);
        bank.execute("CREATE TABLE public.more (id bigint PRIMARY KEY, account_id text)");
        bank.mapOf("public", "more", "{lookup: more, account: account_id}");
        assertGoesOn(5);
        assertGoesOn(6);
    }

    /** The log of the state reads up to the damage; what was confirmed to the server after that is not given again. */
    @Test
    void shouldNameTheGapWhenTheStateIsDamaged() throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(4, 6);
            bank.log.awaitEvents(list -> list.size() == 6);
            String written = bank.query("SELECT pg_current_wal_lsn()");
            Awaitility.await()
                    .until(() -> bank.query("SELECT confirmed_flush_lsn > '" + written + "' FROM pg_replication_slots")
                            .equals("t"));
        }
        bank.awaitSlotFree();
        Path log = StoreLog.newest(directory.resolve("capture"));
        byte[] bytes = Files.readAllBytes(log);
        bytes[20] ^= 0x10;
        Files.write(log, bytes);

        assertGap("or as where " + directory.resolve("capture") + " is damaged or an older copy");

        bank.acceptGap();
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            assertThat(ids(bank.log.awaitEvents(list -> list.size() == 12))).contains("4", "5", "6");
            assertThat(ingest.status().problem()).isNull();
        }
    }

    private void assertGoesOn(int id) throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(id, id);
            bank.log.awaitEvents(list -> ids(list).contains(String.valueOf(id)));
            Awaitility.await().until(() -> ingest.status().slotLagBytes() != null);
            assertThat(ingest.status().problem()).isNull();
        }
        bank.awaitSlotFree();
    }

    private void readAnew() throws Exception {
        assertThat(bank.log.events()).hasSize(3);
        bank.acceptGap();
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            assertThat(ids(bank.log.awaitEvents(list -> list.size() == 9))).contains("4", "5", "6");
            assertThat(ingest.status().problem()).isNull();
            bank.insertPayments(7, 7);
            assertThat(ids(bank.log.awaitEvents(list -> list.size() == 10))).contains("7");
        }
    }

    private void assertGap(String found) {
        try (CdcIngest ingest = bank.ingest()) {
            assertThatThrownBy(ingest::start)
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("gap: expected replication slot '" + bank.name + "' to continue from 0/")
                    .hasMessageContaining(found)
                    .hasMessageContaining("cdc.accept-gap: true")
                    .hasMessageNotContaining("\n");
            assertThat(ingest.status().state()).isEqualTo(ServiceState.FAILED);
        }
    }

    private static List<String> ids(List<Entry> events) {
        return events.stream().map(Entry::id).toList();
    }

    /** Follows the first server from now on. Its slots are not copied, as a base backup does not copy them. */
    private EmbeddedDatabase standby() throws IOException {
        server.close();
        Path data = directory.resolve("second/pgdata");
        copy(directory.resolve("first/pgdata"), data);
        server = EmbeddedDatabase.start(directory.resolve("first"));
        bank = bank.on(server);
        deleteWithin(data.resolve("pg_replslot"));
        Files.createFile(data.resolve("standby.signal"));
        Files.writeString(
                data.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=" + server.host() + " port=" + server.port() + " user=" + server.user()
                        + "'\n");
        return EmbeddedDatabase.start(directory.resolve("second"));
    }

    private static void promote(EmbeddedDatabase standby) throws Exception {
        try (var connection = standby.connect();
                var statement = connection.createStatement()) {
            statement.execute("SELECT pg_promote()");
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Files.copy(
                        path,
                        to.resolve(from.relativize(path).toString()),
                        java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void deleteWithin(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
                if (!path.equals(folder)) {
                    Files.delete(path);
                }
            }
        }
    }
}
