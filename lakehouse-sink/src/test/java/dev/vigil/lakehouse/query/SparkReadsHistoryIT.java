package dev.vigil.lakehouse.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.FieldType;
import dev.vigil.event.Json;
import dev.vigil.lakehouse.CommitOutcome;
import dev.vigil.lakehouse.HistoryRow;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.Positions;
import dev.vigil.lakehouse.TestRecords;
import dev.vigil.lakehouse.iceberg.HistoryCatalog;
import dev.vigil.lakehouse.iceberg.IcebergHistoryStore;
import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark, which none of us wrote, reads the same tables and says the same. It runs in a process of its own, with the class
 * path that module spark-check wrote; without that module built before, the test is skipped.
 */
class SparkReadsHistoryIT {
    private static final String TABLE = "vigil.vigil.scored_events";

    @TempDir
    Path dataDir;

    @Test
    void shouldAgreeWithSpark() throws IOException, InterruptedException {
        Path module = Path.of(System.getProperty("vigil.repository", ".."), "spark-check", "target");
        assumeTrue(
                Files.exists(module.resolve("spark.classpath")),
                "module spark-check is not built: run ./mvnw -B -pl spark-check,lakehouse-sink -am verify");
        assumeTrue(Runtime.version().feature() == 17, "Spark 4.1 runs on Java 17 alone");
        long firstSnapshot = write();

        List<List<JsonNode>> spark = spark(
                module,
                "SELECT count(*) AS n, count(DISTINCT event_id) AS d FROM " + TABLE,
                "SELECT decision, count(*) AS n FROM " + TABLE + " GROUP BY 1 ORDER BY 1",
                "SELECT count(*) AS n FROM " + TABLE + " VERSION AS OF " + firstSnapshot,
                "SELECT source_offset AS o, unix_micros(event_time) AS t, fields.amount AS a, features.ratio AS r,"
                        + " fields.opened = TIMESTAMP '2024-06-01 10:00:00.000001Z' AS same, rules[0].rule AS rule FROM "
                        + TABLE + " WHERE source_offset IN (0, 60) ORDER BY 1",
                "SELECT count(*) AS n FROM " + TABLE + " WHERE event_time >= TIMESTAMP '2026-12-01 00:00:00Z'");

        assertThat(spark.get(0)).containsExactly(json("{\"n\":100,\"d\":100}"));
        assertThat(spark.get(1))
                .containsExactly(
                        json("{\"decision\":\"approve\",\"n\":90}"), json("{\"decision\":\"decline\",\"n\":10}"));
        assertThat(spark.get(2)).containsExactly(json("{\"n\":50}"));
        assertThat(spark.get(3))
                .containsExactly(
                        json("{\"o\":0,\"t\":" + TestRecords.NOON_US + ",\"a\":12.50,\"rule\":\"velocity\"}"),
                        json("{\"o\":60,\"t\":" + (TestRecords.NOON_US + TestRecords.DAY_US)
                                + ",\"a\":57.16,\"r\":0.25,\"same\":true,\"rule\":\"velocity\"}"));
        assertThat(spark.get(4)).containsExactly(json("{\"n\":50}"));
    }

    /** Two commits, the second with more columns and on another day. */
    private long write() {
        try (HistoryCatalog catalog = HistoryCatalog.forWriting(LakehouseConfig.defaults(), dataDir);
                IcebergHistoryStore store = new IcebergHistoryStore(catalog, HistoryTable.SCORED_EVENTS, 4)) {
            Positions start = store.open();
            store.declare(TestRecords.schema(1, Map.of("amount", FieldType.MONEY), Map.of()));
            for (int offset = 0; offset < 50; offset++) {
                store.write(new HistoryRow.Scored(TestRecords.scored(0, offset), 1_000));
            }
            Positions middle = new Positions(1, "t", new TreeMap<>(), new TreeMap<>(), 50, 1, 1);
            CommitOutcome first = store.commit(start, middle);
            store.declare(TestRecords.schema(
                    1,
                    Map.of("amount", FieldType.MONEY, "opened", FieldType.TIMESTAMP),
                    Map.of("ratio", FieldType.DOUBLE)));
            for (int offset = 50; offset < 100; offset++) {
                store.write(new HistoryRow.Scored(
                        TestRecords.scored(
                                0,
                                offset,
                                TestRecords.NOON_US + TestRecords.DAY_US,
                                Map.of("amount", new BigDecimal("57.16"), "opened", 1_717_236_000_000_001L),
                                Map.of("ratio", 0.25)),
                        1_000));
            }
            store.commit(middle, new Positions(1, "t", new TreeMap<>(), new TreeMap<>(), 100, 2, 1));
            return ((CommitOutcome.Committed) first).snapshotId();
        }
    }

    private List<List<JsonNode>> spark(Path module, String... statements) throws IOException, InterruptedException {
        Path answers = dataDir.resolve("answers");
        Path log = dataDir.resolve("spark.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx640m", "-XX:+UseSerialGC"));
        for (String opened :
                List.of("lang", "lang.invoke", "lang.reflect", "io", "net", "nio", "util", "util.concurrent")) {
            command.add("--add-opens=java.base/java." + opened + "=ALL-UNNAMED");
        }
        command.add("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
        command.add("--add-opens=java.base/sun.nio.cs=ALL-UNNAMED");
        command.add("--add-opens=java.base/sun.util.calendar=ALL-UNNAMED");
        command.add("-cp");
        command.add(module.resolve("classes")
                + File.pathSeparator
                + Files.readString(module.resolve("spark.classpath")).strip());
        command.add("dev.vigil.sparkcheck.SparkSqlToFile");
        command.add("jdbc:sqlite:" + dataDir.resolve("catalog.db") + "?busy_timeout=30000");
        command.add("vigil");
        command.add("file:" + dataDir.resolve("warehouse"));
        command.add(answers.toString());
        command.addAll(List.of(statements));
        int exit = new ProcessBuilder(command)
                .directory(dataDir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        assertThat(exit).as(() -> lastLines(log)).isZero();
        List<List<JsonNode>> results = new ArrayList<>();
        List<JsonNode> rows = new ArrayList<>();
        for (String line : Files.readAllLines(answers)) {
            if (line.isEmpty()) {
                results.add(rows);
                rows = new ArrayList<>();
            } else {
                rows.add(json(line));
            }
        }
        return results;
    }

    private static String lastLines(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        } catch (IOException e) {
            return "no log: " + e.getMessage();
        }
    }

    private static JsonNode json(String text) throws IOException {
        return Json.mapper().readTree(text);
    }
}
