package dev.vigil.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedKafkaIT {

    private static final long YEAR_2001_MS = 978_307_200_000L;

    @TempDir
    Path directory;

    @Test
    void shouldKeepTopicsRecordsAndAddressOverARestart() throws Exception {
        String address;
        String clusterId;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
            address = kafka.bootstrapServers();
            KafkaRecords records = new KafkaRecords(address);
            clusterId = records.clusterId();
            records.createTopic("events", Map.of("message.timestamp.type", "LogAppendTime"));
            records.send("events", "first", YEAR_2001_MS);
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
            KafkaRecords records = new KafkaRecords(kafka.bootstrapServers());
            records.send("events", "second", YEAR_2001_MS);

            assertThat(kafka.bootstrapServers()).isEqualTo(address);
            assertThat(records.clusterId()).isEqualTo(clusterId);
            assertThat(records.readValues("events")).containsExactly("first", "second");
            assertThat(records.readAll("events")).allSatisfy(record -> {
                assertThat(record.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
                assertThat(record.timestamp()).isGreaterThan(YEAR_2001_MS);
            });
        }
    }

    @Test
    void shouldNotCreateTopicsByItself() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
            KafkaRecords records = new KafkaRecords(kafka.bootstrapServers());
            records.createTopic("known", Map.of());

            assertThat(records.send("known", "x", YEAR_2001_MS).offset()).isZero();
            assertThatThrownBy(() -> records.send("unknown", "x", YEAR_2001_MS))
                    .hasRootCauseInstanceOf(UnknownTopicOrPartitionException.class);
        }
    }

    @Test
    void shouldRefuseAPortThatIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();

            assertThatThrownBy(() -> EmbeddedKafka.start(directory, port))
                    .isInstanceOf(EmbeddedStartException.class)
                    .hasMessage("Kafka: expected port " + port
                            + " on 127.0.0.1 to be free, found it in use by another process");
        }
    }

    @Test
    void shouldTakeAnotherPortWhenTheKeptOneIsTaken() throws Exception {
        int keptPort;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
            keptPort = kafka.port();
            new KafkaRecords(kafka.bootstrapServers()).createTopic("events", Map.of());
            new KafkaRecords(kafka.bootstrapServers()).send("events", "first", YEAR_2001_MS);
        }
        try (ServerSocket taken = new ServerSocket(keptPort, 1, InetAddress.getLoopbackAddress());
                EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
            assertThat(kafka.port()).isNotEqualTo(taken.getLocalPort());
            assertThat(new KafkaRecords(kafka.bootstrapServers()).readValues("events"))
                    .containsExactly("first");
        }
    }

    @Test
    void shouldRefuseADirectoryThatAnotherBrokerUses() {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(directory)) {
            assertThatThrownBy(() -> EmbeddedKafka.start(directory))
                    .isInstanceOf(EmbeddedStartException.class)
                    .hasMessage("Kafka: expected a data directory of its own, found " + directory
                            + " in use by another process");
            assertThat(kafka.port()).isPositive();
        }
    }

    @Test
    void shouldKeepAcknowledgedRecordsWhenTheProcessIsKilled() throws Exception {
        try (EmbeddedKafkaProcess broker = EmbeddedKafkaProcess.start(directory)) {
            KafkaRecords records = new KafkaRecords(broker.bootstrapServers());
            records.createTopic("events", Map.of());
            records.send("events", "acknowledged", YEAR_2001_MS);

            broker.kill();
            assertThat(broker.isAlive()).isFalse();
            broker.restart();

            assertThat(records.readValues("events")).containsExactly("acknowledged");
        }
    }
}
