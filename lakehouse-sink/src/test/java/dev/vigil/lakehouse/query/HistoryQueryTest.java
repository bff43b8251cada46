package dev.vigil.lakehouse.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigDocument;
import dev.vigil.lakehouse.HistoryRow;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.Positions;
import dev.vigil.lakehouse.TestRecords;
import dev.vigil.lakehouse.iceberg.HistoryCatalog;
import dev.vigil.lakehouse.iceberg.IcebergHistoryStore;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryQueryTest {
    private static final QueryLimits LIMITS = QueryLimits.defaults();

    @TempDir
    static Path dataDir;

    private static HistoryCatalog catalog;
    private static HistoryQuery query;
    private static Instant afterFirstCommit;

    @BeforeAll
    static void write() throws InterruptedException {
        catalog = HistoryCatalog.forWriting(LakehouseConfig.defaults(), dataDir);
        try (IcebergHistoryStore store = new IcebergHistoryStore(catalog, HistoryTable.SCORED_EVENTS, 4)) {
            Positions start = store.open();
            Positions middle = commit(store, start, 0, 50);
            afterFirstCommit = Instant.now();
            Thread.sleep(5);
            commit(store, middle, 50, 100);
        }
        query = HistoryQuery.open(LakehouseConfig.defaults(), dataDir);
    }

    private static Positions commit(IcebergHistoryStore store, Positions from, int begin, int end) {
        for (int offset = begin; offset < end; offset++) {
            store.write(new HistoryRow.Scored(TestRecords.scored(0, offset), 1_000));
        }
        Positions to = new Positions(1, "t", new TreeMap<>(), new TreeMap<>(), end, from.commits() + 1, 1);
        store.commit(from, to);
        return to;
    }

    @AfterAll
    static void close() {
        query.close();
        catalog.close();
    }

    @Test
    void shouldAnswerOverTheCurrentSnapshot() {
        QueryResult result = query.run("SELECT decision, count(*) AS n FROM scored_events GROUP BY 1 ORDER BY 1");

        assertThat(result.columns())
                .containsExactly(new QueryResult.Column("decision", "VARCHAR"), new QueryResult.Column("n", "BIGINT"));
        assertThat(result.rows()).containsExactly(List.of("approve", 90L), List.of("decline", 10L));
        assertThat(result.truncated()).isFalse();
        assertThat(result.filesRead()).isEqualTo(2);
    }

    @Test
    void shouldAnswerAsOfATime() {
        String sql = "SELECT count(*) FROM scored_events";

        assertThat(query.run(sql, afterFirstCommit, LIMITS).rows()).containsExactly(List.of(50L));
        assertThat(query.run(sql, Instant.EPOCH, LIMITS).rows()).containsExactly(List.of(0L));
        assertThat(query.run(sql, Instant.now(), LIMITS).rows()).containsExactly(List.of(100L));
    }

    @Test
    void shouldTakeTablesThatDoNotExistYetForEmptyAndTyped() {
        QueryResult result = query.run("SELECT alert_id, event_time FROM alerts");

        assertThat(result.rows()).isEmpty();
        assertThat(result.columns()).extracting("type").containsExactly("VARCHAR", "TIMESTAMP WITH TIME ZONE");
    }

    @Test
    void shouldShowAndDescribeTables() {
        assertThat(query.run("SHOW TABLES").rows())
                .containsExactly(
                        List.of("alerts"),
                        List.of("deliveries"),
                        List.of("late_events"),
                        List.of("scored_events"),
                        List.of("summaries"));
        assertThat(query.run("DESCRIBE deliveries").rows())
                .anySatisfy(row -> assertThat(row).startsWith("outcome", "VARCHAR"));
    }

    @Test
    void shouldReadRulesAndTheirValues() {
        assertThat(query.run("SELECT DISTINCT r.rule, r.score, r.values->>'tx_count_1h' AS n"
                                + " FROM (SELECT unnest(rules) AS r FROM scored_events)")
                        .rows())
                .containsExactly(List.of("velocity", 90, "9"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP VIEW scored_events",
                "INSERT INTO scored_events SELECT * FROM scored_events",
                "COPY (SELECT 1) TO '/tmp/x'",
                "SET threads=8",
                "ATTACH '/tmp/x.db'",
                "INSTALL httpfs",
                "CREATE TABLE t(a INT)",
                "PRAGMA database_size",
                "CALL pragma_version()",
                "SELECT 1; SELECT 2",
                "SELECT 1; DROP VIEW scored_events",
                "",
                "-- nothing"
            })
    void shouldTakeNothingButOneQuery(String sql) {
        assertThatThrownBy(() -> query.run(sql))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.BAD_SQL))
                .hasMessageContaining("expected");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM read_text('/etc/hostname')",
                "SELECT * FROM read_csv('/etc/passwd')",
                "SELECT * FROM '/etc/passwd'",
                "SELECT * FROM glob('/*')",
                "SELECT * FROM read_csv('https://example.com/x.csv')",
                "SELECT getenv('HOME')",
                "SELECT * FROM nowhere",
                "SELECT nothing FROM scored_events",
                "SELECT 'a'::INT",
                "SELEKT 1"
            })
    void shouldReachNothingButHistoryAndSayWhatIsWrong(String sql) {
        assertThatThrownBy(() -> query.run(sql))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.BAD_SQL))
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT * FROM scored", "DESCRIBE scored", "SELECT 1 FROM vigil.scored_events"})
    void shouldNameTheTablesWhereOneIsUnknown(String sql) {
        assertThatThrownBy(() -> query.run(sql))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.BAD_SQL))
                .hasMessageMatching("Catalog Error: Table with name (scored|\"vigil.scored_events\") does not exist.*"
                        + "; there are alerts, deliveries, late_events, scored_events, summaries");
    }

    @Test
    void shouldCutOffMoreRowsThanAllowed() {
        QueryResult result = query.run("SELECT * FROM scored_events", null, LIMITS.withMaxRows(7));

        assertThat(result.rows()).hasSize(7);
        assertThat(result.truncated()).isTrue();
        assertThat(query.run("SELECT * FROM scored_events LIMIT 7", null, LIMITS.withMaxRows(7))
                        .truncated())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1 AS one;",
                "SELECT 1 AS one -- one",
                " SELECT 1 AS one ; ; ",
                "WITH t AS (SELECT 1 AS one) SELECT * FROM t",
                "FROM (SELECT 1 AS one)",
                "VALUES (1)"
            })
    void shouldTakeAQueryInWhateverFormItIsWritten(String sql) {
        assertThat(query.run(sql).rows()).containsExactly(List.of(1));
    }

    @Test
    void shouldKeepTheOrderOfTheQueryWithinTheLimit() {
        assertThat(query.run(
                                "SELECT source_offset FROM scored_events ORDER BY source_offset DESC",
                                null,
                                LIMITS.withMaxRows(3))
                        .rows())
                .containsExactly(List.of(99L), List.of(98L), List.of(97L));
    }

    @Test
    void shouldCancelAQueryThatTakesTooLong() {
        assertThatThrownBy(() -> query.run(
                        "SELECT count(*) FROM range(100000000000) a, range(1000) b",
                        null,
                        LIMITS.withTimeout(Duration.ofSeconds(1))))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.LIMIT))
                .hasMessageContaining("longer than 1 s");
    }

    @Test
    void shouldStopAQueryThatTakesTooMuchMemory() {
        QueryLimits little = new QueryLimits(10, Duration.ofSeconds(60), 32, 1);

        assertThatThrownBy(() -> query.run(
                        "SELECT count(*) FROM (SELECT DISTINCT hash(range)::VARCHAR FROM range(20000000))",
                        null,
                        little))
                .isInstanceOfSatisfying(
                        QueryException.class, e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.LIMIT))
                .hasMessageContaining("32 MB");
    }

    @Test
    void shouldSayWhereNoHistoryIs(@TempDir Path empty) throws IOException {
        assertThatThrownBy(() -> HistoryQuery.open(LakehouseConfig.defaults(), empty))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("no history at " + empty);
        try (var files = Files.list(empty)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void shouldNotWaitForACatalogThatDoesNotAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            LakehouseConfig config =
                    LakehouseConfig.from(ConfigDocument.parse("vigil.yaml", """
                    catalog: {type: rest, uri: "http://127.0.0.1:%d"}
                    """.formatted(silent.getLocalPort())));
            try (HistoryQuery waiting = HistoryQuery.open(config, dataDir)) {
                assertThatThrownBy(() -> waiting.run(
                                "SELECT 1 FROM scored_events", null, LIMITS.withTimeout(Duration.ofSeconds(1))))
                        .isInstanceOfSatisfying(
                                QueryException.class, e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.LIMIT))
                        .hasMessage("cancelled: it took longer than 1 s");
            }
        }
    }
}
