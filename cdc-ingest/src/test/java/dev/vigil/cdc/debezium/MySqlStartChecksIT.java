package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.debezium.LogReader.Entry;
import dev.vigil.event.FieldType;
import dev.vigil.service.ServiceException;
import dev.vigil.service.status.ServiceState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever would lose changes of a MySQL server is refused with one line that says what was expected and what was found. */
final class MySqlStartChecksIT {

    @TempDir
    Path directory;

    private @Nullable MySqlBank bank;

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

    @ParameterizedTest
    @CsvSource({
        "binlog_format, STATEMENT, ROW, expected binlog_format = ROW",
        "binlog_row_image, MINIMAL, FULL, expected binlog_row_image = FULL",
        "binlog_row_value_options, PARTIAL_JSON, '', expected binlog_row_value_options to be empty"
    })
    void shouldRefuseAServerThatLogsTooLittle(String variable, String bad, String good, String reason)
            throws Exception {
        bank.execute("SET GLOBAL " + variable + " = '" + bad + "'");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, reason + ", found " + bad);
        } finally {
            bank.execute("SET GLOBAL " + variable + " = '" + good + "'");
        }
    }

    @Test
    void shouldRefuseAServerWithoutABinaryLogOrThatHasTheReadersOwnNumber() throws Exception {
        long own = bank.config().database().serverId();
        try (MySqlServer server = MySqlServer.start(
                directory.resolve("server"),
                List.of("--gtid-mode=OFF", "--enforce-gtid-consistency=OFF", "--skip-log-bin", "--server-id=" + own))) {
            MySqlBank elsewhere = bank.on(server);
            elsewhere.createTables();
            try (CdcIngest ingest = elsewhere.ingest()) {
                assertRefused(ingest, "expected log_bin = ON, found 0");
            }
            server.close();
            try (CdcIngest ingest = elsewhere.ingest()) {
                assertRefused(ingest, "MySQL at 127.0.0.1:" + server.port() + "/" + bank.name + ": ");
            }
        }
        bank.execute("SET GLOBAL server_id = " + own);
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected cdc.database.server-id to be one that no server of this replication has");
        } finally {
            bank.execute("SET GLOBAL server_id = 1");
        }
    }

    @Test
    void shouldRefuseAUserWithoutTheRightsItNeedsOneAfterTheOther() throws Exception {
        String user = bank.name;
        bank.execute("CREATE USER " + user + " IDENTIFIED BY 's3cret'", "GRANT USAGE ON *.* TO " + user);
        bank.as(user, "wrong");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "Access denied for user");
        }
        bank.as(user, "s3cret");
        bank.execute("GRANT SELECT ON " + bank.table("accounts") + " TO " + user);
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "to have the right REPLICATION CLIENT");
        }
        bank.execute("GRANT REPLICATION CLIENT ON *.* TO " + user);
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "to have the right REPLICATION SLAVE");
        }
        bank.execute("GRANT REPLICATION SLAVE ON *.* TO " + user);
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "GRANT SELECT ON " + bank.table("transactions"));
        }
        bank.execute("GRANT SELECT ON " + bank.name + ".* TO " + user);
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "to have the right RELOAD");
        }
        bank.execute("GRANT RELOAD ON *.* TO " + user);
        bank.insertPayments(1, 3);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            assertThat(bank.log.awaitEvents(list -> list.size() == 3)).hasSize(3);
        } finally {
            bank.execute("DROP USER " + user);
        }
    }

    @Test
    void shouldRefuseTablesThatCannotBeMapped() throws Exception {
        bank.execute("ALTER TABLE " + bank.table("transactions") + " RENAME COLUMN lat TO latitude");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected column lat in table " + bank.table("transactions"));
        }
        bank.execute("ALTER TABLE " + bank.table("transactions") + " DROP latitude, ADD lat point");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, bank.table("transactions") + ".lat to be point");
        }
        bank.execute("ALTER TABLE " + bank.table("transactions") + " MODIFY lat double, MODIFY created_at varchar(30)");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "created_at to be date, datetime or timestamp, found varchar(30)");
        }
        bank.execute(
                "ALTER TABLE " + bank.table("transactions") + " MODIFY created_at timestamp NULL, DROP PRIMARY KEY");
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected a primary key on " + bank.table("transactions"));
        }
        bank.execute("DROP TABLE " + bank.table("transactions"));
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "expected table " + bank.table("transactions") + " (cdc.tables), found none");
        }
    }

    @Test
    void shouldRefuseAColumnThatCannotBecomeWhatThePolicyDeclares() {
        DeclaredFields declared = new DeclaredFields(
                "test version 1", Map.of("transaction", Map.of("country", FieldType.MONEY)), Map.of());
        try (CdcIngest ingest = new CdcIngest(bank.config(), bank.kafka(), directory, declared)) {
            assertRefused(
                    ingest,
                    "country to be decimal or an integer, since the policy declares field country as money, found"
                            + " varchar(2)");
        }
    }

    @Test
    void shouldNameTheGapWhenTheServerHasRemovedWhatWasNotRead() throws Exception {
        try (MySqlServer server = MySqlServer.start(directory.resolve("server"), List.of())) {
            useInstead(captureOnce(server));
            bank.insertPayments(4, 6);
            bank.execute("FLUSH BINARY LOGS");
            String current = bank.query("SHOW MASTER STATUS");
            bank.execute("PURGE BINARY LOGS TO '" + current + "'");

            assertGap("found that the server has removed transactions that were not read (");
            assertThat(bank.log.events()).hasSize(3);

            bank.acceptGap();
            try (CdcIngest ingest = bank.ingest()) {
                ingest.start();
                assertThat(ids(bank.log.awaitEvents(list -> list.size() == 9))).contains("4", "5", "6");
            }
            useInstead(null);
        }
    }

    @Test
    void shouldNameTheGapWhenTheLogWasResetOrAnotherServerIsInItsPlace() throws Exception {
        try (MySqlServer server = MySqlServer.start(directory.resolve("server"), List.of())) {
            useInstead(captureOnce(server));
            bank.execute("RESET MASTER");
            bank.insertPayments(4, 20);
            assertGap("found a server that does not know all the transactions that were read");
            useInstead(bank.on(MySqlServer.shared()));
            bank.createTables();
            assertGap("found another server, UUID ");
        }
    }

    /** Without identifiers of transactions the files and what stands in them have to do. */
    @Test
    void shouldNameTheGapFromTheFilesWhereTransactionsAreNotNumbered() throws Exception {
        List<String> options = List.of("--gtid-mode=OFF", "--enforce-gtid-consistency=OFF");
        try (MySqlServer server = MySqlServer.start(directory.resolve("server"), options)) {
            useInstead(captureOnce(server));
            try (CdcIngest ingest = bank.ingest()) {
                ingest.start();
                bank.insertPayments(4, 6);
                bank.log.awaitEvents(list -> list.size() == 6);
            }
            bank.execute("FLUSH BINARY LOGS", "FLUSH BINARY LOGS");
            bank.execute("PURGE BINARY LOGS TO '" + bank.query("SHOW MASTER STATUS") + "'");
            assertGap("found the binary logs binlog.0000");
            bank.execute("RESET MASTER");
            assertGap("found ");
            useInstead(null);
        }
    }

    @Test
    void shouldNameTheProblemWhenTheTablesStructureIsNotKnownAnyMore() throws Exception {
        useInstead(captureOnce(MySqlServer.shared()));
        SchemaHistoryFile.delete(SchemaHistoryFile.in(directory));
        bank.insertPayments(4, 6);
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "gap: expected the tables' structure as of binlog.0");
        }
        bank.acceptGap();
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            assertThat(ids(bank.log.awaitEvents(list -> list.size() == 9))).contains("4", "5", "6");
        }
    }

    /** @param other null: none any more */
    private void useInstead(@Nullable MySqlBank other) throws Exception {
        bank.close();
        bank = other;
    }

    private MySqlBank captureOnce(MySqlServer server) throws Exception {
        MySqlBank captured = MySqlBank.create(directory, server);
        try (CdcIngest ingest = captured.ingest()) {
            ingest.start();
            captured.insertPayments(1, 2);
            captured.log.awaitEvents(list -> list.size() == 2);
            captured.insertPayments(3, 3);
            captured.log.awaitEvents(list -> list.size() == 3);
        }
        return captured;
    }

    private void assertGap(String found) {
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "gap: expected the binary log to go on from binlog.0");
        }
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, found);
        }
        try (CdcIngest ingest = bank.ingest()) {
            assertRefused(ingest, "cdc.accept-gap: true");
        }
    }

    private static List<String> ids(List<Entry> events) {
        return events.stream().map(Entry::id).toList();
    }

    private static void assertRefused(CdcIngest ingest, String reason) {
        assertThatThrownBy(ingest::start)
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("\n");
        assertThat(ingest.status().state()).isEqualTo(ServiceState.FAILED);
    }
}
