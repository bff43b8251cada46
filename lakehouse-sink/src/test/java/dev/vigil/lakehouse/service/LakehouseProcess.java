package dev.vigil.lakehouse.service;

import dev.vigil.event.TopicNames;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.service.kafka.KafkaConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A lakehouse in a process of its own, to be killed. Arguments: bootstrap servers, topic prefix, data directory. Prints the
 * rows of scored_events whenever they change.
 */
final class LakehouseProcess {
    static final String ROWS = "rows ";

    private LakehouseProcess() {}

    public static void main(String[] args) throws InterruptedException {
        KafkaConfig kafka = new KafkaConfig(
                args[0], new TopicNames(args[1]), 2, (short) 1, (short) 1, Duration.ofDays(1), Map.of());
        LakehouseConfig config = LakehouseConfig.defaults().withCommitInterval(Duration.ofMillis(150));
        try (Lakehouse lakehouse =
                new Lakehouse(kafka, config, Path.of(args[2]), System::currentTimeMillis, new SimpleMeterRegistry())) {
            lakehouse.start();
            long shown = -1;
            while (true) {
                long rows = lakehouse.status().tables().get(0).rows();
                if (rows != shown) {
                    System.out.println(ROWS + rows);
                    shown = rows;
                }
                Thread.sleep(20);
            }
        }
    }
}
