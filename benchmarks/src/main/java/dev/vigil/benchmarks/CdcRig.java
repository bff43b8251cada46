package dev.vigil.benchmarks;

import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.embedded.EmbeddedKafkaProcess;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A database with a table of payments, a broker, and change capture, each a process of its own. One thread. */
final class CdcRig implements AutoCloseable {
    private final Path directory = Files.createTempDirectory("vigil-benchmark-cdc");
    private final EmbeddedDatabase database;
    private final EmbeddedKafkaProcess broker;
    private final KafkaConfig kafka;
    private @Nullable Process ingest;

    private CdcRig(int partitions) throws IOException {
        database = EmbeddedDatabase.start(directory.resolve("postgresql"));
        broker = EmbeddedKafkaProcess.start(directory.resolve("broker"));
        kafka = EngineMain.kafka(broker.bootstrapServers(), "bench", partitions);
    }

    static CdcRig start(int partitions) throws IOException, SQLException {
        CdcRig rig = new CdcRig(partitions);
        try (Admin admin = KafkaClients.admin(rig.kafka, "benchmark-admin");
                Connection connection = rig.database.connect();
                Statement statement = connection.createStatement()) {
            TopicSetup.ensure(admin, rig.kafka);
            statement.execute("CREATE TABLE payments (id bigserial PRIMARY KEY, account_id text, amount numeric(12,2),"
                    + " merchant text, country text, device text, lat double precision, lon double precision,"
                    + " at timestamptz)");
            statement.execute("ALTER TABLE payments REPLICA IDENTITY FULL");
        }
        Files.writeString(rig.directory.resolve("cdc.yaml"), """
            database: {host: %s, port: %d, user: %s, password: %s, name: %s}
            tables:
              public.payments:
                event: payment
                account: account_id
                time: at
                fields: {amount: amount, merchant: merchant, country: country, device: device, lat: lat, lon: lon}
            """.formatted(
                        rig.database.host(),
                        rig.database.port(),
                        rig.database.user(),
                        rig.database.password(),
                        rig.database.database()));
        return rig;
    }

    KafkaConfig kafka() {
        return kafka;
    }

    Connection connect() throws SQLException {
        return database.connect();
    }

    /** @param jvmOptions of its process, such as {@code -Xmx512m} */
    ProcessMeter startIngest(List<String> jvmOptions) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                CdcMain.class.getName(),
                directory.resolve("cdc.yaml").toString(),
                kafka.bootstrapServers(),
                kafka.topics().prefix(),
                Integer.toString(kafka.partitions()),
                directory.resolve("ingest").toString()));
        ingest = new ProcessBuilder(command).inheritIO().start();
        return new ProcessMeter(ingest.pid());
    }

    /** @throws IllegalStateException if it has ended */
    void requireIngest() {
        if (ingest == null || !ingest.isAlive()) {
            throw new IllegalStateException("change capture has ended; see its output");
        }
    }

    List<TopicPartition> log() {
        return IntStream.range(0, kafka.partitions())
                .mapToObj(partition -> new TopicPartition(kafka.topics().events(), partition))
                .toList();
    }

    @Override
    public void close() throws IOException {
        if (ingest != null) {
            ingest.destroy();
            try {
                ingest.onExit().get(30, TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                ingest.destroyForcibly().onExit().join();
            }
        }
        broker.close();
        database.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
