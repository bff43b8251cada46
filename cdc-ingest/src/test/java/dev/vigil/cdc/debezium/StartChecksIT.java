package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DatabaseConfig;
import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.rocksdb.CaptureStore;
import dev.vigil.embedded.DatabaseOptions;
import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.event.FieldType;
import dev.vigil.service.ServiceException;
import dev.vigil.service.status.ServiceState;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                CdcIngest ingest = new CdcIngest(bank.config(server), bank.kafka(), directory, null)) {
            assertRefused(ingest, "expected wal_level = logical, found replica");
        }
    }

    @Test
    void shouldRefuseAServerThatDoesNotAnswer() {
        EmbeddedDatabase server = EmbeddedDatabase.start(directory.resolve("stopped"));
        server.close();
        try (CdcIngest ingest = new CdcIngest(bank.config(server), bank.kafka(), directory, null)) {
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
        DatabaseConfig asUser = DatabaseConfig.postgresql(
                database.host(), database.port(), user, "", database.name(), database.sslMode());
        return new CdcIngest(
                new CdcConfig(
                        asUser,
                        config.slot(),
                        config.publication(),
                        config.heartbeat(),
                        config.lookups(),
                        config.acceptGap(),
                        config.cardNumbers(),
                        config.notCardNumbers(),
                        config.tables()),
                bank.kafka(),
                directory,
                null);
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
    void shouldRefuseAPublicationThatHidesColumnsOrRows() throws Exception {
        bank.execute("CREATE PUBLICATION " + bank.name + " FOR TABLE " + bank.table("accounts") + ", "
                + bank.table("fraud_labels") + ", " + bank.table("transactions") + " (transaction_id, account_id)");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "to give column amount of table " + bank.table("transactions"));
        }
        bank.execute("ALTER PUBLICATION " + bank.name + " SET TABLE " + bank.table("accounts") + ", "
                + bank.table("fraud_labels") + ", " + bank.table("transactions") + " WHERE (amount > 10)");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "to give every row, found a row filter on " + bank.table("transactions"));
        }
    }

    @Test
    void shouldLetAPublicationGiveAllOperations() throws Exception {
        bank.execute("CREATE PUBLICATION " + bank.name + " FOR TABLE " + bank.table("accounts") + ", "
                + bank.table("fraud_labels") + ", " + bank.table("transactions") + " WITH (publish = 'insert')");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
        }
        assertThat(bank.query("SELECT pubdelete AND pubupdate AND pubtruncate FROM pg_publication WHERE pubname = '"
                        + bank.name + "'"))
                .isEqualTo("t");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHaveTheRowsOfATableWithPartitionsGivenUnderItsName(boolean allTables) throws Exception {
        String table = bank.table("transactions");
        bank.execute(
                "CREATE TABLE " + table + "_new (LIKE " + table + " INCLUDING ALL) PARTITION BY HASH (transaction_id)",
                "DROP TABLE " + table + " CASCADE",
                "ALTER TABLE " + table + "_new RENAME TO transactions",
                "CREATE TABLE " + table + "_0 PARTITION OF " + table + " FOR VALUES WITH (MODULUS 2, REMAINDER 0)",
                "CREATE TABLE " + table + "_1 PARTITION OF " + table + " FOR VALUES WITH (MODULUS 2, REMAINDER 1)",
                "CREATE PUBLICATION " + bank.name + " FOR "
                        + (allTables
                                ? "ALL TABLES"
                                : "TABLE " + bank.table("accounts") + ", " + bank.table("fraud_labels") + ", "
                                        + table));
        bank.insertPayments(1, 3);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(4, 9);
            assertThat(bank.log.awaitEvents(list -> list.size() == 9)).hasSize(9);
        }
    }

    @Test
    void shouldTakeAPublicationOfAllTables() throws Exception {
        bank.execute("CREATE PUBLICATION " + bank.name + " FOR ALL TABLES");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.insertPayments(1, 3);
            assertThat(bank.log.awaitEvents(list -> list.size() == 3)).hasSize(3);
        }
    }

    @Test
    void shouldRefuseATableThatCouldNotBeUpdatedOnceItIsPublished() throws Exception {
        bank.execute("ALTER TABLE " + bank.table("transactions") + " REPLICA IDENTITY NOTHING");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected a replica identity on " + bank.table("transactions") + ", found none");
        }
        bank.execute("UPDATE " + bank.table("transactions") + " SET amount = 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text[] | to be text[]",
                "int4range | to be int4range",
                "timetz | to be time with time zone",
                "point | to be point"
            })
    void shouldRefuseAColumnThatNoFieldCanHold(String type, String reason) throws Exception {
        bank.execute("ALTER TABLE " + bank.table("transactions") + " ALTER country TYPE " + type + " USING NULL");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected a scalar column that an event's field can hold, found");
            assertThat(ingest.status().problem()).contains(reason);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MONEY | text | numeric, money or an integer",
                "MONEY | float8 | numeric, money or an integer",
                "DOUBLE | text | a number",
                "LONG | numeric(12,2) | smallint, integer, bigint or numeric without a fraction",
                "BOOL | int | boolean",
                "TIMESTAMP | text | date, timestamp or timestamptz"
            })
    void shouldRefuseAColumnThatCannotBecomeWhatThePolicyDeclares(FieldType declared, String type, String expected)
            throws Exception {
        bank.execute("ALTER TABLE " + bank.table("transactions") + " ALTER amount TYPE " + type + " USING NULL");
        try (CdcIngest ingest = ingestFor(declared)) {
            assertRefused(
                    ingest,
                    "expected column " + bank.table("transactions") + ".amount to be " + expected
                            + ", since the policy declares field amount as " + declared.label() + ", found ");
        }
        assertThat(bank.query("SELECT count(*) FROM pg_replication_slots WHERE slot_name = '" + bank.name + "'"))
                .isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource({
        "MONEY, numeric",
        "MONEY, bigint",
        "LONG, 'numeric(12,0)'",
        "DOUBLE, numeric",
        "STRING, bytea",
        "TIMESTAMP, date",
        "BOOL, boolean"
    })
    void shouldTakeAColumnThatFitsThePolicy(FieldType declared, String type) throws Exception {
        bank.execute("ALTER TABLE " + bank.table("transactions") + " ALTER amount TYPE " + type + " USING NULL");
        try (CdcIngest ingest = ingestFor(declared)) {
            ingest.start();
            assertThat(ingest.status().state()).isEqualTo(ServiceState.RUNNING);
        }
    }

    @Test
    void shouldOnlyWarnOfAPolicyThatIsActivatedLaterAndDoesNotFit() throws Exception {
        try (CdcIngest ingest = ingestFor(FieldType.MONEY)) {
            ingest.start();
            ingest.policyActivated(new DeclaredFields(
                    "test version 2", Map.of("transaction", Map.of("country", FieldType.DOUBLE)), Map.of()));

            assertThat(ingest.misfitCount()).isEqualTo(1);
            assertThat(ingest.status().state()).isEqualTo(ServiceState.RUNNING);
            ingest.policyActivated(new DeclaredFields("test version 3", Map.of("transaction", Map.of()), Map.of()));
            assertThat(ingest.misfitCount()).isZero();
            ingest.policyActivated(new DeclaredFields("test version 4", Map.of("transfer", Map.of()), Map.of()));
            assertThat(ingest.misfitCount()).isEqualTo(1);
        }
    }

    private CdcIngest ingestFor(FieldType amount) {
        DeclaredFields declared =
                new DeclaredFields("test version 1", Map.of("transaction", Map.of("amount", amount)), Map.of());
        return new CdcIngest(bank.config(), bank.kafka(), directory, declared);
    }

    @Test
    void shouldRefuseATimeColumnThatHoldsNoTime() throws Exception {
        bank.execute("ALTER TABLE " + bank.table("transactions") + " ALTER created_at TYPE text USING NULL");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected the time column " + bank.table("transactions") + ".created_at to be date,");
        }
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
                CdcIngest second = new CdcIngest(bank.config(), bank.kafka(), directory.resolve("second"), null)) {
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

        bank.acceptGap();
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
        try (CaptureStore store = CaptureStore.open(directory.resolve("capture"), bank.name)) {
            store.claimSlot();
        }
        bank.execute("SELECT pg_create_logical_replication_slot('" + bank.name + "', 'pgoutput')");
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            assertThat(bank.log.awaitEvents(list -> list.size() == 5)).hasSize(5);
        }
    }

    @Test
    void shouldRefuseAPositionOfAnotherSlot() throws Exception {
        try (CaptureStore store = CaptureStore.open(directory.resolve("capture"), "another")) {
            store.claimSlot();
        }
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "(cdc.slot), found one of 'another'");
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
