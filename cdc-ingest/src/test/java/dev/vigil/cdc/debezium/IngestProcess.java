package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.config.ConfigDocument;
import dev.vigil.event.TopicNames;
import dev.vigil.event.card.CardNumberConfig;
import dev.vigil.service.kafka.KafkaConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The service in a process of its own, to be killed. Arguments: configuration, brokers, topic prefix, data directory. */
final class IngestProcess {

    private IngestProcess() {}

    static Process start(CapturedBank bank) throws IOException {
        Path config = bank.directory().resolve("cdc.yaml");
        Files.writeString(config, bank.yaml(Servers.database()));
        return start(
                config,
                Servers.kafka().bootstrapServers(),
                bank.name,
                bank.directory(),
                bank.directory().resolve("process.log"));
    }

    static Process start(MySqlBank bank) throws IOException {
        Path config = bank.directory().resolve("cdc.yaml");
        Files.writeString(config, bank.yaml());
        return start(
                config,
                Servers.kafka().bootstrapServers(),
                bank.name,
                bank.directory(),
                bank.directory().resolve("process.log"));
    }

    static Process start(Path config, String bootstrapServers, String prefix, Path data, Path output)
            throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx192m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        IngestProcess.class.getName(),
                        config.toString(),
                        bootstrapServers,
                        prefix,
                        data.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
    }

    public static void main(String[] args) throws InterruptedException {
        CdcConfig config = CdcConfig.from(ConfigDocument.load(Path.of(args[0]), Map.of()), CardNumberConfig.defaults());
        KafkaConfig kafka = new KafkaConfig(
                args[1], new TopicNames(args[2]), 2, (short) 1, (short) 1, Duration.ofDays(1), Map.of());
        CdcIngest ingest = new CdcIngest(config, kafka, Path.of(args[3]), null);
        ingest.start();
        Thread.currentThread().join();
    }
}
