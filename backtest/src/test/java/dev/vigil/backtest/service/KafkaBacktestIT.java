package dev.vigil.backtest.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.backtest.BacktestReport;
import dev.vigil.backtest.Progress;
import dev.vigil.backtest.SourceSpec;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.EventEnvelope;
import dev.vigil.scoring.Policies;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.status.RecordCounts;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBacktestIT {
    private static final int PARTITIONS = 3;
    private static final String OTHER_POLICY = """
            policy: other
            version: 1
            currency: EUR
            events: {transaction: {fields: {amount: money}}}
            """;

    @TempDir
    static Path directory;

    private static EmbeddedKafka broker;
    private static KafkaConfig kafka;

    @BeforeAll
    static void start() {
        broker = EmbeddedKafka.start(directory.resolve("kafka"));
        kafka = KafkaConfig.local(broker.bootstrapServers());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldScoreTheLogAsItScoresAFileOfTheSameEvents() throws Exception {
        List<CardRows.Row> rows = CardRows.seeded(4, 2_000, 25, 50);
        createTopic("log");
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "test", Map.of())) {
            activateEverywhere(producer, sent, "log", 0);
            for (CardRows.Row row : rows) {
                sent.add(producer.send(at(EventRecords.keyed("log", event(row)), row.timeS() * 1_000)));
            }
            sent.add(producer.send(
                    new ProducerRecord<>("log", 0, null, "c".getBytes(StandardCharsets.UTF_8), new byte[] {1})));
            activateEverywhere(producer, sent, "log", 1);
        }
        requireWritten(sent);
        Path fromLog = directory.resolve("from-log");
        BacktestReport report = Backtest.run(
                        BacktestConfig.of(Scored.HANDBOOK, SourceSpec.parse("kafka:log"), fromLog)
                                .withScored(ScoredFormat.CSV)
                                .withKafka(kafka),
                        Progress.NONE)
                .report();

        Path file = CardRows.write(directory.resolve("cards.csv"), rows);
        Path fromFile = directory.resolve("from-file");
        Backtest.run(
                BacktestConfig.of(Scored.HANDBOOK, new SourceSpec.CsvFile(file), fromFile)
                        .withScored(ScoredFormat.CSV),
                Progress.NONE);

        assertThat(byId(fromLog)).hasSameSizeAs(rows).isEqualTo(byId(fromFile));
        RecordCounts counts = report.result().counts();
        assertThat(counts)
                .isEqualTo(
                        new RecordCounts(rows.size() + 2 * PARTITIONS + 1, rows.size(), 2 * PARTITIONS, 0, 0, 0, 0, 1));
        assertThat(report.source().partitions()).isEqualTo(PARTITIONS);
        assertThat(report.result().balanced()).isTrue();
        assertThat(Files.readString(fromLog.resolve("set-aside.csv"))).contains("partition 0 offset ");
    }

    @Test
    void shouldTakeLabelsFromAFile() throws Exception {
        createTopic("labelled");
        CardRows.Row row = new CardRows.Row(7, 1_767_225_600, 1, 1, 30_000, true);
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "test", Map.of())) {
            sent.add(producer.send(at(EventRecords.keyed("labelled", event(row)), row.timeS() * 1_000)));
        }
        requireWritten(sent);
        Path labels = Files.writeString(directory.resolve("labels.csv"), "event_id,label\n7,fraud\n");
        BacktestReport report = Backtest.run(
                        BacktestConfig.of(Scored.HANDBOOK, SourceSpec.parse("kafka:labelled"), directory.resolve("l"))
                                .withLabels(labels)
                                .withKafka(kafka),
                        Progress.NONE)
                .report();
        assertThat(report.result().alerts().recall()).isEqualTo(1.0);
    }

    @Test
    void shouldTakeLabelsFromTheLogThoughTheyComeLater() throws Exception {
        createTopic("late-labels");
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "test", Map.of())) {
            for (int id = 1; id <= 4; id++) {
                CardRows.Row row = new CardRows.Row(id, 1_767_225_600, 1, 1, id < 4 ? 30_000 : 100, true);
                sent.add(producer.send(at(EventRecords.keyed("late-labels", event(row)), row.timeS() * 1_000)));
            }
            for (String label : List.of("1:true", "2:true", "2:false", "4:true")) {
                sent.add(producer.send(EventRecords.keyed("late-labels", label(label.split(":", -1)))));
            }
        }
        requireWritten(sent);
        BacktestReport report = Backtest.run(
                        BacktestConfig.of(
                                        Scored.HANDBOOK, SourceSpec.parse("kafka:late-labels"), directory.resolve("ll"))
                                .withKafka(kafka),
                        Progress.NONE)
                .report();
        assertThat(report.labels()).isEqualTo(new BacktestReport.LabelCounts(2, 1, 1, 0, 0));
        assertThat(report.result().counts().label()).isEqualTo(4);
        assertThat(report.result().alerts().precision()).isEqualTo(0.5);
        assertThat(report.result().alerts().recall()).isEqualTo(0.5);
    }

    private static EventEnvelope label(String[] idAndValue) {
        String data = "{\"event_source\":\"/bank\",\"event_id\":\"" + idAndValue[0]
                + "\",\"label\":\"fraud\",\"value\":" + idAndValue[1] + "}";
        return new EventEnvelope(
                "label-" + String.join("-", idAndValue),
                "/bank",
                "vigil.label",
                1_767_225_600_000_000L,
                "1",
                false,
                data.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldSayThatThereIsNoSuchTopic() {
        assertThatThrownBy(() -> Backtest.run(
                        BacktestConfig.of(Scored.HANDBOOK, SourceSpec.parse("kafka:nowhere"), directory.resolve("n"))
                                .withKafka(kafka),
                        Progress.NONE))
                .isInstanceOf(ServiceException.class)
                .hasMessage("Kafka at " + broker.bootstrapServers() + ": there is no topic 'nowhere'");
    }

    private static void requireWritten(List<Future<RecordMetadata>> sent) throws Exception {
        for (Future<RecordMetadata> record : sent) {
            record.get(30, TimeUnit.SECONDS);
        }
    }

    private static void createTopic(String topic) throws Exception {
        try (Admin admin = KafkaClients.admin(kafka, "test")) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get();
            // Leaders that do not know yet that they lead could take batches out of order.
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
            }
            admin.listOffsets(ends).all().get();
        }
    }

    private static void activateEverywhere(
            KafkaProducer<byte[], byte[]> producer, List<Future<RecordMetadata>> sent, String topic, long timeUs) {
        EventEnvelope activation = Policies.activation(Policies.check("other.yaml", OTHER_POLICY), timeUs);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            sent.add(producer.send(EventRecords.control(topic, partition, activation)));
        }
    }

    private static EventEnvelope event(CardRows.Row row) {
        String data = "{\"amount\":" + BigDecimal.valueOf(row.amountMinor(), 2) + ",\"terminal\":\"" + row.terminal()
                + "\",\"customer_id\":\"" + row.customer() + "\"}";
        return new EventEnvelope(
                String.valueOf(row.id()),
                "/bank",
                "transaction",
                row.timeS() * 1_000_000,
                String.valueOf(row.customer()),
                false,
                data.getBytes(StandardCharsets.UTF_8));
    }

    /** With the time of the event as the broker's, so that the test does not depend on today. */
    private static ProducerRecord<byte[], byte[]> at(ProducerRecord<byte[], byte[]> record, long timeMs) {
        return new ProducerRecord<>(
                record.topic(), record.partition(), timeMs, record.key(), record.value(), record.headers());
    }

    private static Map<String, Map<String, String>> byId(Path out) throws Exception {
        Map<String, Map<String, String>> rows = new HashMap<>();
        Scored.rows(out.resolve("scored.csv.gz")).forEach(row -> rows.put(row.get("event_id"), row));
        return rows;
    }
}
