package dev.vigil.engine.kafka;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.RecordKinds;
import dev.vigil.event.SourcePosition;
import dev.vigil.scoring.LogRecord;
import dev.vigil.scoring.ScoredView;
import dev.vigil.scoring.ScoringOutbox;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Sends what a task emits to the partition of the same number. Alerts leave at once like everything else: they need not
 * wait for the state, since they would come again as they are.
 */
final class KafkaOutbox implements ScoringOutbox {
    private static final List<Header> SCHEMA =
            List.of(new RecordHeader(RecordKinds.HEADER, RecordKinds.SCHEMA.getBytes(StandardCharsets.UTF_8)));

    private final OutputSender sender;
    private final String topicId;
    private final int partition;
    private final AtomicReference<@Nullable Exception> lost = new AtomicReference<>();
    private OutputBatch outputs = new OutputBatch(lost);
    private @Nullable ConsumerRecord<byte[], byte[]> source;
    private long liveFromOffset;

    KafkaOutbox(OutputSender sender, String topicId, int partition) {
        this.sender = sender;
        this.topicId = topicId;
        this.partition = partition;
    }

    /** See {@link ScoringTask#catchUpTo}. */
    void catchUpTo(long offset) {
        liveFromOffset = offset;
    }

    void begin() {
        outputs = new OutputBatch(lost);
    }

    /** The record that is about to be scored. */
    void source(ConsumerRecord<byte[], byte[]> record) {
        source = record;
    }

    OutputBatch end() {
        return outputs;
    }

    @Override
    public void scored(ScoredView event) {
        send(sender.topics().scored(), key(event.account()), event.encode(), null);
        sender.decisions().increment();
        if (!event.isBackfill() && event.offset() >= liveFromOffset) {
            sender.ingestToDecision().record(sender.clock().epochMs() - event.ingestTimeMs());
        }
    }

    @Override
    public void corrected(ScoredView event) {
        send(sender.topics().scored(), key(event.account()), event.encode(), null);
    }

    @Override
    public void alert(String account, byte[] alert) {
        send(sender.topics().alerts(), key(account), alert, null);
    }

    @Override
    public void summary(String account, byte[] summary) {
        send(sender.topics().summaries(), key(account), summary, null);
    }

    @Override
    public void schema(byte[] schema) {
        if (sender.schemaRecords()) {
            send(sender.topics().scored(), null, schema, SCHEMA);
        }
    }

    @Override
    public void late(LogRecord record) {
        ConsumerRecord<byte[], byte[]> late = source();
        send(sender.topics().late(), late.key(), late.value(), withPosition(late));
    }

    @Override
    public void deadLetter(LogRecord record, DeadLetter.Reason reason, String detail) {
        ConsumerRecord<byte[], byte[]> refused = source();
        Headers headers = new RecordHeaders(refused.headers());
        new DeadLetter(reason, DeadLetter.ENGINE_STAGE, detail, position(refused))
                .headers()
                .forEach(headers::add);
        send(sender.topics().deadLetters(), refused.key(), refused.value(), headers);
    }

    private Headers withPosition(ConsumerRecord<byte[], byte[]> record) {
        Headers headers = new RecordHeaders(record.headers());
        headers.add(DeadLetter.POSITION_HEADER, position(record).toString().getBytes(StandardCharsets.UTF_8));
        return headers;
    }

    private SourcePosition position(ConsumerRecord<byte[], byte[]> record) {
        return new SourcePosition(topicId, partition, record.offset());
    }

    private ConsumerRecord<byte[], byte[]> source() {
        return Objects.requireNonNull(source);
    }

    private static byte[] key(String account) {
        return account.getBytes(StandardCharsets.UTF_8);
    }

    private void send(
            String topic, byte @Nullable [] key, byte @Nullable [] value, @Nullable Iterable<Header> headers) {
        // The callback is the step's own: a failure surfaces when the step is to be written.
        var unused = sender.producer()
                .send(new ProducerRecord<>(topic, partition, null, key, value, headers), outputs.opened());
    }
}
