package dev.vigil.lakehouse.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.TestRecords;
import dev.vigil.lakehouse.query.HistoryQuery;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process dies by kill -9 while it commits several times a second. */
class KilledLakehouseIT {
    private static final int KILLS = 3;
    private static final int PER_ROUND = 3_000;

    @TempDir
    Path brokerDir;

    @TempDir
    Path dataDir;

    @Test
    void shouldLoseAndRepeatNothing() throws IOException, InterruptedException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (EmbeddedKafka broker = EmbeddedKafka.start(brokerDir);
                TestTopics topics = new TestTopics(broker.bootstrapServers(), "killed")) {
            long offset = 0;
            long committed = 0;
            for (int round = 0; round < KILLS; round++) {
                Process process = start(topics);
                try (BufferedReader rows = process.inputReader()) {
                    for (int i = 0; i < PER_ROUND; i++) {
                        topics.scored(TestRecords.scored((int) (offset % 2), offset));
                        // Now and then the engine repeats the last few.
                        offset = random.nextInt(500) == 0 ? Math.max(0, offset - random.nextInt(20)) : offset + 1;
                    }
                    topics.flush();
                    long before = committed;
                    while (committed <= before) {
                        committed = nextRows(rows);
                    }
                    Thread.sleep(random.nextInt(400));
                } finally {
                    process.destroyForcibly().waitFor();
                }
            }
            try (Lakehouse last = new Lakehouse(
                    topics.kafka,
                    LakehouseConfig.defaults(),
                    dataDir,
                    System::currentTimeMillis,
                    new SimpleMeterRegistry())) {
                last.start();
                assertThat(last.flushNow(Duration.ofSeconds(90))).isTrue();
                assertThat(last.status().tables().get(0).rows()).isEqualTo(offset);
            }
            try (HistoryQuery query = HistoryQuery.open(LakehouseConfig.defaults(), dataDir)) {
                assertThat(query.run("SELECT count(*), count(DISTINCT source_offset), min(source_offset),"
                                        + " max(source_offset) FROM scored_events")
                                .rows())
                        .as("seed " + seed)
                        .containsExactly(List.of(offset, offset, 0L, offset - 1));
            }
        }
    }

    private static long nextRows(BufferedReader output) throws IOException {
        String line = output.readLine();
        while (line != null && !line.startsWith(LakehouseProcess.ROWS)) {
            line = output.readLine();
        }
        if (line == null) {
            throw new AssertionError("the process ended by itself");
        }
        return Long.parseLong(line.substring(LakehouseProcess.ROWS.length()));
    }

    private Process start(TestTopics topics) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        LakehouseProcess.class.getName(),
                        topics.kafka.bootstrapServers(),
                        topics.names().prefix(),
                        dataDir.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
