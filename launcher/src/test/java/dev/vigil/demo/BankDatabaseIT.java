package dev.vigil.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.demo.bank.Action;
import dev.vigil.demo.bank.Bank;
import dev.vigil.demo.bank.BankShape;
import dev.vigil.demo.bank.FraudLabel;
import dev.vigil.demo.bank.Payment;
import dev.vigil.demo.bank.TrafficStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BankDatabaseIT {
    private static final Instant NOW = Instant.parse("2026-11-30T09:17:00Z");
    private static final BankShape SHAPE = new BankShape(5, 400);

    @TempDir
    static Path directory;

    private PostgreSqlForTests postgres;

    @BeforeAll
    void startServer() {
        postgres = new PostgreSqlForTests(directory);
    }

    @AfterAll
    void stopServer() {
        postgres.close();
    }

    @BeforeEach
    void emptyDatabase() throws SQLException {
        postgres.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    }

    @Test
    void shouldFoundTheBankOnceAndContinueItAfterwards() throws SQLException {
        try (BankDatabase database = postgres.connect()) {
            assertThat(database.storedShape()).isEmpty();
            assertThat(database.openBank(SHAPE, NOW).shape()).isEqualTo(SHAPE);
            assertThat(database.paymentCount()).isEqualTo(1_200);
            assertThat(database.nextPaymentId()).isEqualTo(1_201);
        }
        try (BankDatabase database = postgres.connect()) {
            assertThat(database.storedShape()).contains(SHAPE);
            Bank bank = database.openBank(new BankShape(99, 5_000), NOW.plusSeconds(60));
            assertThat(bank.shape()).isEqualTo(SHAPE);
            assertThat(database.paymentCount()).isEqualTo(1_200);
            assertThat(postgres.queryText("SELECT count(*) FROM accounts")).isEqualTo("400");
        }
    }

    @Test
    void shouldStoreEveryColumnAsItIs() throws SQLException {
        try (BankDatabase database = postgres.connect()) {
            Bank bank = database.openBank(SHAPE, NOW);
            Payment online = payments(bank, 2_000).stream()
                    .filter(p -> p.madeFrom().isPresent())
                    .findFirst()
                    .orElseThrow();
            Payment inShop = payments(bank, 2_000).stream()
                    .filter(p -> p.terminal().standsAt().isPresent())
                    .findFirst()
                    .orElseThrow();
            database.insert(List.of(online, inShop), List.of());

            assertThat(row(online.id()))
                    .isEqualTo(String.join(
                            "|",
                            online.accountId(),
                            online.cardId(),
                            online.merchant().id(),
                            online.terminal().id(),
                            online.merchant().category().code(),
                            String.valueOf(online.amountMinor()),
                            "EUR",
                            online.country(),
                            online.madeFrom().orElseThrow(),
                            "null",
                            "null",
                            String.valueOf(online.eventTimeMs())));
            assertThat(row(inShop.id()))
                    .endsWith("|null|"
                            + inShop.terminal().standsAt().orElseThrow().latitude() + "|"
                            + inShop.terminal().standsAt().orElseThrow().longitude() + "|" + inShop.eventTimeMs());
        }
    }

    @Test
    void shouldInsertABatchOnceEvenIfItIsSentTwice() throws SQLException {
        try (BankDatabase database = postgres.connect()) {
            Bank bank = database.openBank(SHAPE, NOW);
            List<Payment> payments = payments(bank, 100);
            Payment fraud = payments.stream().filter(Payment::fraud).findFirst().orElseThrow();
            List<FraudLabel> labels = List.of(new FraudLabel(
                    fraud.id(),
                    fraud.accountId(),
                    fraud.delivery().planted().orElseThrow().scenario(),
                    NOW.toEpochMilli(),
                    fraud.delivery()));

            assertThat(database.insert(payments, labels)).isEqualTo(101);
            assertThat(database.insert(payments, labels)).isZero();
            assertThat(database.paymentCount()).isEqualTo(1_300);
            assertThat(database.labelCount()).isEqualTo(1);
            assertThat(database.nextPaymentId()).isEqualTo(1_301);
        }
    }

    @Test
    void shouldReplicateWholeRows() throws SQLException {
        try (BankDatabase database = postgres.connect()) {
            database.openBank(SHAPE, NOW);
        }
        assertThat(postgres.queryText("SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class "
                        + "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relreplident = 'f'"))
                .isEqualTo("accounts cards fraud_labels merchants transactions");
    }

    private String row(long id) throws SQLException {
        return postgres.queryText("SELECT concat_ws('|', account_id, card_id, merchant_id, terminal_id, category, "
                + "(amount * 100)::bigint, currency, country, coalesce(device_id, 'null'), "
                + "coalesce(lat::text, 'null'), coalesce(lon::text, 'null'), "
                + "(extract(epoch FROM created_at) * 1000)::bigint) FROM transactions WHERE transaction_id = " + id);
    }

    private static List<Payment> payments(Bank bank, int count) {
        TrafficStream stream = new TrafficStream(bank, 50, NOW, 1_201);
        List<Payment> payments = new ArrayList<>();
        while (payments.size() < count) {
            Action action = stream.next();
            if (action instanceof Payment payment) {
                payments.add(payment);
            }
        }
        return payments;
    }
}
