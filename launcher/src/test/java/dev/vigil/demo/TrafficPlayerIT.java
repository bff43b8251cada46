package dev.vigil.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.demo.bank.Bank;
import dev.vigil.demo.bank.BankShape;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrafficPlayerIT {
    private static final Instant NOW = Instant.parse("2026-11-30T09:17:00Z");
    private static final BankShape SHAPE = new BankShape(5, 1_000);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    static Path directory;

    private PostgreSqlForTests postgres;
    private FakeIntake intake;
    private BankDatabase database;
    private FakeTime time;
    private Bank bank;

    @BeforeAll
    void startServer() {
        postgres = new PostgreSqlForTests(directory);
    }

    @AfterAll
    void stopServer() {
        postgres.close();
    }

    @BeforeEach
    void openBank() throws IOException, SQLException {
        postgres.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
        time = new FakeTime(NOW.toEpochMilli());
        intake = new FakeIntake();
        database = postgres.connect();
        bank = database.openBank(SHAPE, NOW);
    }

    @AfterEach
    void close() throws SQLException {
        database.close();
        intake.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("traffic-source") || name.startsWith("traffic-database"));
    }

    @Test
    void shouldPlayIntoTheDatabaseAndTheIntakeAndCountWhatTheyTook() throws Exception {
        TrafficStats stats = play(config(Duration.ofMinutes(2)));

        assertThat(database.paymentCount()).isEqualTo(3_000 + stats.payments());
        assertThat(database.labelCount()).isEqualTo(stats.labels());
        assertThat(intake.accepted()).hasSize((int) stats.logins());
        assertThat(stats.logins() - stats.duplicates())
                .isEqualTo(distinctIds(intake.accepted()).size());
        assertThat(stats.payments()).isGreaterThan(4_000);
        assertThat(stats.labels()).isPositive();
        assertThat(stats.tooLate()).isPositive();
        assertThat(stats.outOfOrder()).isPositive();
        assertThat(stats.duplicates()).isPositive();
        assertThat(stats.planted())
                .containsOnlyKeys(
                        "sudden-high-amount",
                        "card-testing",
                        "account-takeover",
                        "impossible-travel",
                        "compromised-terminal");
        assertThat(stats.planted().values())
                .allMatch(planted -> planted.incidents() > 0 && planted.fraudPayments() > 0);
        assertThat(stats.abandoned() + stats.loginsRefused()).isZero();
    }

    @Test
    void shouldSendLoginsAsCloudEvents() throws Exception {
        play(config(Duration.ofSeconds(5)));
        JsonNode event = intake.accepted().get(0);
        assertThat(names(event))
                .containsExactly("specversion", "id", "source", "type", "time", "subject", "datacontenttype", "data");
        assertThat(names(event.get("data"))).containsExactly("account_id", "device", "ip", "success");
        assertThat(event.get("type").asText()).isEqualTo("login");
        assertThat(event.get("subject")).isEqualTo(event.get("data").get("account_id"));
        assertThat(Instant.parse(event.get("time").asText()))
                .isBetween(NOW.minus(Duration.ofHours(4)), NOW.plusSeconds(5));
    }

    @Test
    void shouldSendTheSameEventsAgainWhenTheIntakeIsBusy() throws Exception {
        play(config(Duration.ofSeconds(20)));
        List<JsonNode> undisturbed = intake.accepted();
        postgres.execute("TRUNCATE transactions CASCADE");
        database.insert(bank.history(NOW, BankDatabase.PAST_PAYMENTS_PER_ACCOUNT), List.of());
        intake.close();
        intake = new FakeIntake();
        intake.answerWith(503, 429, 500);

        FakeTime again = new FakeTime(NOW.toEpochMilli());
        try (TrafficPlayer player = TrafficPlayer.start(config(Duration.ofSeconds(20)), bank, database, again, again)) {
            assertThat(player.awaitEnd(LONG)).isTrue();
            assertThat(player.stats().intakeRetries()).isEqualTo(3);
        }
        assertThat(intake.accepted()).isEqualTo(undisturbed);
    }

    @Test
    void shouldCountAndPassOverWhatTheIntakeRefusesForGood() throws Exception {
        intake.answerWith(400);
        TrafficStats stats = play(config(Duration.ofSeconds(20)));
        assertThat(stats.loginsRefused()).isPositive();
        assertThat(stats.logins()).isEqualTo(intake.accepted().size()).isPositive();
    }

    @Test
    void shouldContinueIdsAndTimesInASecondRun() throws Exception {
        play(config(Duration.ofSeconds(20)));
        long nextId = database.nextPaymentId();
        Set<String> loginIds = distinctIds(intake.accepted());
        time.sleepMs(60_000);

        TrafficStats stats = play(config(Duration.ofSeconds(20)));

        assertThat(database.nextPaymentId()).isEqualTo(nextId + stats.payments());
        assertThat(database.paymentCount()).isEqualTo(nextId - 1 + stats.payments());
        assertThat(intake.accepted()).hasSizeGreaterThan(loginIds.size());
        assertThat(distinctIds(intake.accepted()).size())
                .isEqualTo(loginIds.size() + stats.logins() - stats.duplicates());
    }

    @Test
    void shouldInsertAgainAfterTheConnectionBroke() throws Exception {
        postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                + "WHERE application_name = 'vigil-demo-bank'");
        assertThatThrownBy(database::nextPaymentId).isInstanceOf(SQLException.class);
        database.reconnect();
        TrafficPlayer player =
                TrafficPlayer.start(new TrafficConfig(50, Optional.empty(), intake.base()), bank, database, time, time);
        try (player) {
            Awaitility.await().until(() -> player.stats().payments() > 500);
            postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    + "WHERE application_name = 'vigil-demo-bank'");
            Awaitility.await().until(() -> player.stats().databaseRetries() > 0);
            long payments = player.stats().payments();
            Awaitility.await().until(() -> player.stats().payments() > payments + 500);
        }
        assertThat(database.paymentCount()).isEqualTo(3_000 + player.stats().payments());
    }

    @Test
    void shouldStopAndSaySoWhenPostgreSqlRefusesRowsForGood() throws Exception {
        postgres.execute("ALTER TABLE transactions DROP COLUMN category");
        try (TrafficPlayer player = TrafficPlayer.start(config(Duration.ofMinutes(1)), bank, database, time, time)) {
            assertThatThrownBy(() -> player.awaitEnd(LONG))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("category");
        }
    }

    @Test
    void shouldCountWhatTheIntakeDidNotTakeBeforeItWasClosed() throws Exception {
        int[] busy = new int[100_000];
        Arrays.fill(busy, 503);
        intake.answerWith(busy);
        TrafficPlayer player = TrafficPlayer.start(
                new TrafficConfig(50, Optional.empty(), intake.base()),
                bank,
                database,
                time,
                time,
                Duration.ofMillis(300));
        Awaitility.await().until(() -> player.stats().intakeRetries() > 0);
        player.close();

        assertThat(player.stats().logins()).isZero();
        assertThat(player.stats().abandoned()).isPositive();
        assertThat(database.paymentCount()).isEqualTo(3_000 + player.stats().payments());
    }

    private TrafficConfig config(Duration duration) {
        return new TrafficConfig(50, Optional.of(duration), intake.base());
    }

    private TrafficStats play(TrafficConfig config) throws Exception {
        try (TrafficPlayer player = TrafficPlayer.start(config, bank, database, time, time)) {
            assertThat(player.awaitEnd(LONG)).isTrue();
            return player.stats();
        }
    }

    private static Set<String> distinctIds(List<JsonNode> events) {
        return events.stream().map(event -> event.get("id").asText()).collect(Collectors.toSet());
    }

    private static List<String> names(JsonNode object) {
        Iterator<String> names = object.fieldNames();
        List<String> list = new ArrayList<>();
        names.forEachRemaining(list::add);
        return list;
    }
}
