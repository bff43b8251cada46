package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Vigil relies on of a PostgreSQL that ran the deployment's scripts, embedded or deployed. */
abstract class DatabaseContract {
    static final String PASSWORD = "it's \"secret\"";

    private static final String SLOT = "contract";
    /** Message type, relation id, and after that the kind of the row that follows. */
    private static final int ROW_KIND_OFFSET = 5;

    abstract String jdbcUrl();

    abstract Connection connectAsOwner() throws SQLException;

    private Connection connectAsVigil() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), "vigil", PASSWORD);
    }

    @Test
    void shouldKeepTheWalThatLogicalDecodingNeeds() throws SQLException {
        try (Connection connection = connectAsVigil()) {
            assertThat(texts(connection, "SHOW wal_level")).containsExactly("logical");
        }
    }

    @Test
    void shouldLetTheRoleReadTheMappedTablesAndNoOthers() throws SQLException {
        try (Connection connection = connectAsVigil()) {
            for (String table : List.of("accounts", "transactions", "fraud_labels")) {
                assertThat(texts(connection, "SELECT count(*) FROM " + table)).hasSize(1);
            }
            assertThatThrownBy(() -> texts(connection, "SELECT count(*) FROM cards"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void shouldPublishTheMappedTables() throws SQLException {
        try (Connection connection = connectAsVigil()) {
            assertThat(texts(
                            connection,
                            "SELECT schemaname || '.' || tablename FROM pg_publication_tables WHERE pubname = 'vigil'"))
                    .containsExactlyInAnyOrder("public.accounts", "public.transactions", "public.fraud_labels");
        }
    }

    @Test
    void shouldDecodeWholeOldRowsOfUpdatesAndDeletes() throws SQLException {
        try (Connection vigil = connectAsVigil();
                Connection owner = connectAsOwner();
                Statement write = owner.createStatement()) {
            texts(vigil, "SELECT slot_name FROM pg_create_logical_replication_slot('" + SLOT + "', 'pgoutput')");
            try {
                write.execute("INSERT INTO accounts VALUES ('A-1', 'Ghent', 'BE', now(), 100.00)");
                write.execute("UPDATE accounts SET credit_limit = 200.00");
                write.execute("DELETE FROM accounts");

                assertThat(changes(vigil)).containsExactly("I:N", "U:O", "D:O");
            } finally {
                texts(vigil, "SELECT pg_drop_replication_slot('" + SLOT + "')");
            }
        }
    }

    /** Row changes as type and kind of the first row that they carry: N new, O whole old row, K only its key. */
    private static List<String> changes(Connection connection) throws SQLException {
        List<String> changes = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet messages = statement.executeQuery("SELECT data FROM pg_logical_slot_peek_binary_changes('"
                        + SLOT + "', NULL, NULL, 'proto_version', '1', 'publication_names', 'vigil')")) {
            while (messages.next()) {
                byte[] message = messages.getBytes(1);
                if ("IUD".indexOf(message[0]) >= 0) {
                    changes.add((char) message[0] + ":" + (char) message[ROW_KIND_OFFSET]);
                }
            }
        }
        return changes;
    }

    @Test
    void shouldGiveTheCatalogADatabaseOfItsOwn() throws SQLException {
        String url = jdbcUrl().replaceFirst("/bank(?=$|\\?)", "/vigil_history");
        try (Connection connection = DriverManager.getConnection(url, "vigil", PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE contract (id int)");
            statement.execute("DROP TABLE contract");
        }
    }

    private static List<String> texts(Connection connection, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}
