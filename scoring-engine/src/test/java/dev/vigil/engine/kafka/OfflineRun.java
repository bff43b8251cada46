package dev.vigil.engine.kafka;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.RecordKinds;
import dev.vigil.event.SourcePosition;
import dev.vigil.event.TopicNames;
import dev.vigil.scoring.LogRecord;
import dev.vigil.scoring.PartitionScorer;
import dev.vigil.scoring.ScoredView;
import dev.vigil.scoring.ScoringOutbox;
import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.scoring.state.TaskState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Scores a log with the core alone, state in memory, one step per partition: what the engine has to come to. */
final class OfflineRun implements ScoringOutbox {
    private final TopicNames topics;
    private final String topicId;
    private final List<Output> outputs = new ArrayList<>();
    private final Map<Integer, PartitionScorer> scorers = new TreeMap<>();
    private @Nullable ConsumerRecord<byte[], byte[]> source;

    OfflineRun(TopicNames topics, String topicId) {
        this.topics = topics;
        this.topicId = topicId;
    }

    static OfflineRun over(List<ConsumerRecord<byte[], byte[]>> log, TopicNames topics, String topicId) {
        OfflineRun run = new OfflineRun(topics, topicId);
        log.forEach(run::process);
        return run;
    }

    void process(ConsumerRecord<byte[], byte[]> next) {
        source = next;
        LogRecord record = new LogRecord().begin(next.offset(), next.timestamp(), next.key(), next.value());
        next.headers().forEach(header -> record.header(header.key(), header.value()));
        scorers.computeIfAbsent(
                        next.partition(),
                        partition -> new PartitionScorer(topicId, partition, new InMemoryStateStore(), Long.MAX_VALUE))
                .process(record, this);
    }

    List<Output> outputs() {
        return outputs;
    }

    /** What came since the last call, for runs too long to keep it all. */
    List<Output> takeOutputs() {
        List<Output> taken = List.copyOf(outputs);
        outputs.clear();
        return taken;
    }

    TaskState counts(int partition) {
        return scorers.get(partition).counts();
    }

    @Override
    public void scored(ScoredView event) {
        add(topics.scored(), utf8(event.account()), event.encode(), List.of());
    }

    @Override
    public void corrected(ScoredView event) {
        scored(event);
    }

    @Override
    public void alert(String account, byte[] alert) {
        add(topics.alerts(), utf8(account), alert, List.of());
    }

    @Override
    public void summary(String account, byte[] summary) {
        add(topics.summaries(), utf8(account), summary, List.of());
    }

    @Override
    public void schema(byte[] schema) {
        add(topics.scored(), null, schema, List.of(new RecordHeader(RecordKinds.HEADER, utf8(RecordKinds.SCHEMA))));
    }

    @Override
    public void late(LogRecord record) {
        RecordHeaders headers = new RecordHeaders(source.headers());
        headers.add(DeadLetter.POSITION_HEADER, utf8(position().toString()));
        add(topics.late(), source.key(), source.value(), headers);
    }

    @Override
    public void deadLetter(LogRecord record, DeadLetter.Reason reason, String detail) {
        RecordHeaders headers = new RecordHeaders(source.headers());
        headers.add(DeadLetter.REASON_HEADER, utf8(reason.code()));
        headers.add(DeadLetter.STAGE_HEADER, utf8("scoring-engine"));
        headers.add(DeadLetter.DETAIL_HEADER, utf8(detail));
        headers.add(DeadLetter.POSITION_HEADER, utf8(position().toString()));
        add(topics.deadLetters(), source.key(), source.value(), headers);
    }

    private SourcePosition position() {
        return new SourcePosition(topicId, source.partition(), source.offset());
    }

    private void add(String topic, byte @Nullable [] key, byte @Nullable [] value, Iterable<? extends Header> headers) {
        outputs.add(Output.of(topic, source.partition(), key, value, headers));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
