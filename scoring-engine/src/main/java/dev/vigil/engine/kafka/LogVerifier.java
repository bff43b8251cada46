package dev.vigil.engine.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.Summary;
import dev.vigil.scoring.LogRecord;
import dev.vigil.scoring.PartitionScorer;
import dev.vigil.scoring.ScoredView;
import dev.vigil.scoring.ScoringOutbox;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import dev.vigil.service.kafka.TopicSetup;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Scores the log once more, from its start and with no state, and compares every scored record and every result of a window
 * byte for byte with what the live engine wrote. Reads only; memory does not grow with the log. Blocks; one thread.
 */
public final class LogVerifier {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long MAX_LIVE_EVENTS = 2_000_000;
    private static final int WRITE_EVERY = 1_000;

    /**
     * What a comparison found.
     *
     * @param compared scored records of both sides, corrections included, in the span that was asked for
     * @param comparedSummaries results of windows of both sides, those told again included, likewise
     * @param differing of both, with other bytes, and repeats of a live one with other bytes than its first
     * @param missing came out again, but were never written live
     * @param invented written live, but did not come out again
     * @param putAside late events that came out again, likewise
     * @param firstMismatch where, in one line; absent if there is none
     */
    public record Result(
            long compared,
            long comparedSummaries,
            long differing,
            long missing,
            long invented,
            long putAside,
            @Nullable String firstMismatch) {
        static final Result NONE = new Result(0, 0, 0, 0, 0, 0, null);

        public long mismatches() {
            return differing + missing + invented;
        }

        Result plus(Result other) {
            return new Result(
                    compared + other.compared,
                    comparedSummaries + other.comparedSummaries,
                    differing + other.differing,
                    missing + other.missing,
                    invented + other.invented,
                    putAside + other.putAside,
                    firstMismatch == null ? other.firstMismatch : firstMismatch);
        }
    }

    private final KafkaConfig kafka;
    private final long fromMs;
    private final long toMs;
    private final @Nullable Policy firstPolicy;

    /**
     * @param fromMs events ingested at or after this, ms since the epoch; earlier ones are scored too, since later ones
     *     depend on them, but not compared
     * @param toMs and before this
     * @param firstPolicy that the engine was configured with
     */
    public LogVerifier(KafkaConfig kafka, long fromMs, long toMs, @Nullable Policy firstPolicy) {
        this.firstPolicy = firstPolicy;
        this.kafka = kafka;
        this.fromMs = fromMs;
        this.toMs = toMs;
    }

    /** @throws ServiceException if the log does not reach back to its first record any more */
    public Result verify() {
        String topicId;
        try (Admin admin = KafkaClients.admin(kafka, "vigil-verify")) {
            topicId = Objects.requireNonNull(
                    TopicSetup.ensure(admin, kafka).get(kafka.topics().events()));
        }
        Result result = Result.NONE;
        for (int partition = 0; partition < kafka.partitions(); partition++) {
            result = result.plus(verify(topicId, partition));
        }
        return result;
    }

    private Result verify(String topicId, int partition) {
        TopicPartition events = new TopicPartition(kafka.topics().events(), partition);
        try (Consumer<byte[], byte[]> log = KafkaClients.consumer(kafka, "vigil-verify-log", Map.of());
                Comparison comparison = new Comparison(topicId, partition)) {
            log.assign(List.of(events));
            log.seekToBeginning(List.of(events));
            if (log.position(events) > 0) {
                throw new ServiceException("partition " + partition + ": the log begins at offset "
                        + log.position(events) + "; what was scored from earlier records cannot be verified");
            }
            return replay(log, events, topicId, comparison);
        }
    }

    private static String scoreKey(JsonNode score) {
        return ScoredEvent.keyAtPosition(
                score.path("revision").asLong(),
                score.path("source").asText(),
                score.path("event_id").asText());
    }

    private static String summaryKey(JsonNode summary) {
        return Summary.keyAtPosition(summary.path("index").asLong());
    }

    private Result replay(Consumer<byte[], byte[]> log, TopicPartition events, String topicId, Comparison comparison) {
        long end = Offsets.end(log, events);
        PartitionScorer scorer = new PartitionScorer(
                topicId, events.partition(), new InMemoryStateStore(), MAX_LIVE_EVENTS, firstPolicy);
        LogRecord record = new LogRecord();
        long count = 0;
        while (log.position(events) < end) {
            for (ConsumerRecord<byte[], byte[]> next : log.poll(POLL)) {
                if (next.offset() >= end) {
                    break;
                }
                record.begin(next.offset(), next.timestamp(), next.key(), next.value());
                for (Header header : next.headers()) {
                    record.header(header.key(), header.value());
                }
                comparison.inSpan = next.timestamp() >= fromMs && next.timestamp() < toMs;
                scorer.process(record, comparison);
                if (++count % WRITE_EVERY == 0) {
                    scorer.write(scorer.takeStep());
                }
            }
        }
        comparison.finish(end);
        return comparison.result;
    }

    private final class Comparison implements ScoringOutbox, AutoCloseable {
        private final LiveOutputs scores;
        private final LiveOutputs summaries;
        private Result result = Result.NONE;
        private boolean inSpan;

        Comparison(String topicId, int partition) {
            scores = live(kafka.topics().scored(), topicId, partition, "score", LogVerifier::scoreKey);
            summaries = live(kafka.topics().summaries(), topicId, partition, "result", LogVerifier::summaryKey);
        }

        private LiveOutputs live(String topic, String topicId, int partition, String kind, LiveOutputs.KeyReader keys) {
            return new LiveOutputs(
                    kafka, new TopicPartition(topic, partition), topicId, keys, new LiveOutputs.Unasked() {
                        @Override
                        public void differs(LiveOutputs.Key key) {
                            unasked(new Result(0, 0, 1, 0, 0, 0, at(key) + " was written again, differently"));
                        }

                        @Override
                        public void invented(LiveOutputs.Key key) {
                            unasked(new Result(
                                    0, 0, 0, 0, 1, 0, at(key) + " was written live, but the log leads to none"));
                        }

                        private String at(LiveOutputs.Key key) {
                            return kind + " at partition " + partition + ", offset " + key.offset();
                        }
                    });
        }

        private void unasked(Result one) {
            if (inSpan) {
                result = result.plus(one);
            }
        }

        void finish(long endOffset) {
            scores.finish(endOffset);
            summaries.finish(endOffset);
        }

        @Override
        public void close() {
            scores.close();
            summaries.close();
        }

        @Override
        public void scored(ScoredView event) {
            byte[] live = scores.at(new LiveOutputs.Key(
                    event.offset(), ScoredEvent.keyAtPosition(event.revision(), event.source(), event.eventId())));
            if (inSpan) {
                compare(live, event.encode(), new Result(1, 0, 0, 0, 0, 0, null), "event " + event.eventId());
            }
        }

        private void compare(byte @Nullable [] live, byte[] again, Result one, String what) {
            if (live == null) {
                result = result.plus(new Result(0, 0, 0, 1, 0, 0, what + " was never written live"));
                return;
            }
            result = result.plus(one);
            if (!Arrays.equals(live, again)) {
                result = result.plus(new Result(0, 0, 1, 0, 0, 0, what + " was written differently live"));
            }
        }

        @Override
        public void corrected(ScoredView event) {
            scored(event);
        }

        @Override
        public void alert(String account, byte[] alert) {
            // An alert says nothing that its scored record, compared above, does not say.
        }

        @Override
        public void summary(String account, byte[] summary) {
            Summary again = Json.decode(summary, Summary.class);
            byte[] live = summaries.at(new LiveOutputs.Key(again.position().offset(), again.keyAtPosition()));
            if (inSpan) {
                String what = "result " + again.summary() + " at " + again.position() + ", index " + again.index();
                compare(live, summary, new Result(0, 1, 0, 0, 0, 0, null), what);
            }
        }

        @Override
        public void schema(byte[] schema) {
            // Follows from the policy's record in the log.
        }

        @Override
        public void late(LogRecord record) {
            // Not scored on either side; a live score for it would be told as invented.
            if (inSpan) {
                result = result.plus(new Result(0, 0, 0, 0, 0, 1, null));
            }
        }

        @Override
        public void deadLetter(LogRecord record, DeadLetter.Reason reason, String detail) {
            // As for late ones.
        }
    }
}
