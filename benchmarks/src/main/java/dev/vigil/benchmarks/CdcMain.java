package dev.vigil.benchmarks;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.debezium.CdcIngest;
import dev.vigil.config.ConfigDocument;
import dev.vigil.event.card.CardNumberConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Change capture in a process of its own. Arguments: configuration, brokers, topic prefix, partitions, data directory. */
public final class CdcMain {
    private CdcMain() {}

    public static void main(String[] args) throws InterruptedException {
        CdcIngest ingest = new CdcIngest(
                CdcConfig.from(ConfigDocument.load(Path.of(args[0]), Map.of()), CardNumberConfig.defaults()),
                EngineMain.kafka(args[1], args[2], Integer.parseInt(args[3])),
                Path.of(args[4]),
                null);
        Runtime.getRuntime().addShutdownHook(new Thread(ingest::close, "benchmark-shutdown"));
        ingest.start();
        new CountDownLatch(1).await();
    }
}
