package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DatabaseConfig;
import dev.vigil.embedded.DatabaseOptions;
import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.service.ServiceException;
import dev.vigil.service.status.ServiceState;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever would lose changes is refused with one line that says what was expected and what was found. */
final class StartChecksIT {

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
    void shouldRefuseAServerWithoutLogicalWal() {
        DatabaseOptions options = DatabaseOptions.defaults().withWalLevel("replica");
        try (EmbeddedDatabase server = EmbeddedDatabase.start(directory.resolve("replica"), options);
                CdcIngest ingest = new CdcIngest(bank.config(server), bank.kafka(), directory)) {
            assertRefused(ingest, "expected wal_level = logical, found replica");
        }
    }

    @Test
    void shouldRefuseAServerThatDoesNotAnswer() {
        EmbeddedDatabase server = EmbeddedDatabase.start(directory.resolve("stopped"));
        server.close();
        try (CdcIngest ingest = new CdcIngest(bank.config(server), bank.kafka(), directory)) {
            assertRefused(ingest, "PostgreSQL at 127.0.0.1:" + server.port() + "/bank: ");
        }
    }

    @Test
    void shouldRefuseAMissingTable() throws Exception {
        bank.execute("DROP TABLE " + bank.table("fraud_labels"));
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected table " + bank.table("fraud_labels") + " (cdc.tables), found none");
        }
    }

    @Test
    void shouldRefuseAMissingColumn() throws Exception {
        bank.execute("ALTER TABLE " + bank.table("transactions") + " DROP lat");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected column lat in table " + bank.table("transactions"));
        }
    }

    @Test
    void shouldRefuseATableWhoseRowsHaveNoIdentity() throws Exception {
        bank.execute("ALTER TABLE " + bank.table("transactions") + " DROP CONSTRAINT transactions_pkey");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected a primary key on " + bank.table("transactions"));
        }
    }

    @Test
    void shouldRefuseAUserWithoutTheRightsItNeeds() throws Exception {
        String user = bank.name + "_reader";
        bank.execute("CREATE ROLE " + user + " LOGIN", "GRANT USAGE ON SCHEMA " + bank.name + " TO " + user);
        try {
            try (CdcIngest ingest = ingestAs(user)) {
                assertRefused(ingest, "expected user " + user + " to be allowed to replicate");
            }
            bank.execute("ALTER ROLE " + user + " REPLICATION");
            try (CdcIngest ingest = ingestAs(user)) {
                assertRefused(ingest, "expected to be allowed to read table " + bank.table("accounts"));
            }
            bank.execute("GRANT SELECT ON ALL TABLES IN SCHEMA " + bank.name + " TO " + user);
            try (CdcIngest ingest = ingestAs(user)) {
                assertRefused(ingest, "cannot set up the publication; let the tables' owner run: CREATE PUBLICATION");
            }
        } finally {
            bank.execute("DROP OWNED BY " + user, "DROP ROLE " + user);
        }
    }

    private CdcIngest ingestAs(String user) {
        CdcConfig config = bank.config();
        DatabaseConfig database = config.database();
        DatabaseConfig asUser =
                new DatabaseConfig(database.host(), database.port(), user, "", database.name(), database.sslMode());
        return new CdcIngest(
                new CdcConfig(asUser, config.slot(), config.publication(), config.heartbeat(), config.tables()),
                bank.kafka(),
                directory);
    }

    @Test
    void shouldPutRightAPublicationThatLacksATable() throws Exception {
        bank.execute("CREATE PUBLICATION " + bank.name + " FOR TABLE " + bank.table("accounts"));
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(1, 3);
            assertThat(bank.log.awaitEvents(list -> list.size() == 3)).hasSize(3);
        }
        assertThat(bank.query("SELECT count(*) FROM pg_publication_tables WHERE pubname = '" + bank.name + "'"))
                .isEqualTo("3");
    }

    @Test
    void shouldRefuseASlotThatMayBeSomebodyElses() throws Exception {
        bank.execute("SELECT pg_create_logical_replication_slot('" + bank.name + "', 'pgoutput')");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "found one that may be somebody else's");
        }
    }

    @Test
    void shouldRefuseASlotThatIsInUse() throws Exception {
        try (CdcIngest first = bank.ingest();
                CdcIngest second = new CdcIngest(bank.config(), bank.kafka(), directory.resolve("second"))) {
            first.start();
            bank.insertPayments(1, 1);
            bank.log.awaitEvents(list -> list.size() == 1);
            assertRefused(second, "to be free, found it in use by server process ");
        }
    }

    @Test
    void shouldNameTheGapWhenTheSlotIsGoneOrAnotherOneHasItsName() throws Exception {
        runOnce(1);
        bank.dropSlot();
        bank.insertPayments(2, 3);
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "gap: expected replication slot '" + bank.name + "' to continue from ");
        }

        bank.execute("SELECT pg_create_logical_replication_slot('" + bank.name + "', 'pgoutput')");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "found a slot that starts at ");
        }

        bank.dropSlot();
        Files.delete(directory.resolve("cdc-position.json"));
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            assertThat(bank.log.awaitEvents(list -> list.size() == 4))
                    .extracting(LogReader.Entry::id)
                    .containsExactlyInAnyOrder("1", "1", "2", "3");
        }
    }

    @Test
    void shouldStartASnapshotAgainThatWasNotFinished() throws Exception {
        bank.insertPayments(1, 5);
        PositionFile.empty(bank.name).write(directory.resolve("cdc-position.json"));
        bank.execute("SELECT pg_create_logical_replication_slot('" + bank.name + "', 'pgoutput')");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            assertThat(bank.log.awaitEvents(list -> list.size() == 5)).hasSize(5);
        }
    }

    @Test
    void shouldRefuseAPositionOfAnotherVersion() throws Exception {
        Files.writeString(
                directory.resolve("cdc-position.json"), "{\"format\":2,\"slot\":\"" + bank.name + "\",\"offsets\":{}}");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected a position of format 1, found format 2");
        }
    }

    private void runOnce(int id) throws Exception {
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(id, id);
            bank.log.awaitEvents(list -> list.size() == id);
        }
        bank.awaitSlotFree();
    }

    private static void assertRefused(CdcIngest ingest, String reason) {
        assertThatThrownBy(ingest::start)
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("\n");
        assertThat(ingest.status().state()).isEqualTo(ServiceState.FAILED);
        assertThat(ingest.status().problem()).contains(reason);
    }
}
