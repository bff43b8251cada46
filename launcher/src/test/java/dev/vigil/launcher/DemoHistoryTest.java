package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The questions to history at a demo's end, over rows as law 5 allows them. */
class DemoHistoryTest {
    private Connection history;

    @BeforeEach
    void openHistory() throws SQLException {
        history = DriverManager.getConnection("jdbc:duckdb:");
        execute("CREATE TABLE scored_events (event_id VARCHAR, source VARCHAR, type VARCHAR, revision BIGINT)");
        execute("CREATE TABLE late_events (event_id VARCHAR, source VARCHAR, type VARCHAR)");
    }

    @AfterEach
    void closeHistory() throws SQLException {
        history.close();
    }

    @Test
    void shouldCountATransactionOnceHoweverOftenItWasPutAside() throws SQLException {
        execute("INSERT INTO late_events VALUES ('1', '/cdc/t', 'transaction'), ('1', '/cdc/t', 'transaction'),"
                + " ('1', '/cdc/other', 'transaction')");

        assertThat(ask(DemoHistory.TRANSACTIONS)).isEqualTo(2);
    }

    /** Captured again after a crash, it was too late to be known as a duplicate. */
    @Test
    void shouldCountATransactionOnceThatWasScoredAndPutAside() throws SQLException {
        execute(
                "INSERT INTO scored_events VALUES ('1', '/cdc/t', 'transaction', 0), ('2', '/cdc/t', 'transaction', 0)");
        execute("INSERT INTO late_events VALUES ('1', '/cdc/t', 'transaction'), ('3', '/cdc/t', 'transaction')");

        assertThat(ask(DemoHistory.TRANSACTIONS)).isEqualTo(3);
    }

    @Test
    void shouldLeaveOutCorrectionsAndWhatTheBankDidNotWrite() throws SQLException {
        execute(
                "INSERT INTO scored_events VALUES ('1', '/cdc/t', 'transaction', 0), ('1', '/cdc/t', 'transaction', 17),"
                        + " ('5', '/cdc/t', 'login', 0), ('6', '/me', 'transaction', 0)");
        execute("INSERT INTO late_events VALUES ('7', '/me', 'transaction'), ('8', '/cdc/t', 'login')");

        assertThat(ask(DemoHistory.TRANSACTIONS)).isEqualTo(1);
        assertThat(ask(DemoHistory.SCORED)).isEqualTo(3);
        assertThat(ask("SELECT corrections FROM (" + DemoHistory.SCORED + ") AS t(scored, corrections)"))
                .isEqualTo(1);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = history.createStatement()) {
            statement.execute(sql);
        }
    }

    private long ask(String sql) throws SQLException {
        try (Statement statement = history.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }
}
