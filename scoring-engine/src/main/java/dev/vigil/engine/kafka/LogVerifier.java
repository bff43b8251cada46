package dev.vigil.engine.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.Json;
import dev.vigil.event.RecordKinds;
import dev.vigil.event.SourcePosition;
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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
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
 * Scores the log once more, from its start and with no state, and compares every scored record byte for byte with what the
 * live engine wrote. Reads only; memory does not grow with the log. Blocks; one thread.
 */
public final class LogVerifier {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long MAX_LIVE_EVENTS = 2_000_000;
    private static final int WRITE_EVERY = 1_000;

    /**
     * What a comparison found.
     *
     * @param compared scored records of both sides, corrections included, in the span that was asked for
     * @param differing of these, with other bytes
     * @param missing scored again, but never written live
     * @param firstMismatch where, in one line; absent if there is none
     */
    public record Result(
            long compared,
            long differing,
            long missing,
            @Nullable String firstMismatch) {
        static final Result NONE = new Result(0, 0, 0, null);

        public long mismatches() {
            return differing + missing;
        }

        Result plus(Result other) {
            return new Result(
                    compared + other.compared,
                    differing + other.differing,
                    missing + other.missing,
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
        TopicPartition scored = new TopicPartition(kafka.topics().scored(), partition);
        try (Consumer<byte[], byte[]> log = KafkaClients.consumer(kafka, "vigil-verify-log", Map.of());
                Consumer<byte[], byte[]> live = KafkaClients.consumer(kafka, "vigil-verify-live", Map.of())) {
            live.assign(List.of(scored));
            live.seekToBeginning(List.of(scored));
            log.assign(List.of(events));
            log.seekToBeginning(List.of(events));
            if (log.position(events) > 0) {
                throw new ServiceException("partition " + partition + ": the log begins at offset "
                        + log.position(events) + "; what was scored from earlier records cannot be verified");
            }
            LiveScores scores = new LiveScores(live, scored, topicId);
            return replay(log, events, topicId, scores);
        }
    }

    private Result replay(Consumer<byte[], byte[]> log, TopicPartition events, String topicId, LiveScores scores) {
        long end = Offsets.end(log, events);
        Comparison comparison = new Comparison(scores);
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
        return comparison.result;
    }

    /** Tells the records of one partition apart: one log record may lead to several, which correct earlier ones. */
    private record Key(long offset, long revision, String source, String eventId) {
        static Key of(ScoredView event) {
            return new Key(event.offset(), event.revision(), event.source(), event.eventId());
        }
    }

    /** The live side, in order of source offsets, repeats left out. */
    private static final class LiveScores {
        private final Consumer<byte[], byte[]> consumer;
        private final TopicPartition partition;
        private final String topicId;
        private final long end;
        private final Deque<ConsumerRecord<byte[], byte[]>> fetched = new ArrayDeque<>();

        LiveScores(Consumer<byte[], byte[]> consumer, TopicPartition partition, String topicId) {
            this.consumer = consumer;
            this.partition = partition;
            this.topicId = topicId;
            this.end = Offsets.end(consumer, partition);
        }

        /** The record of this key; offsets do not fall from call to call. Null if the live engine wrote none. */
        byte @Nullable [] at(Key wanted) {
            while (true) {
                while (fetched.isEmpty() && consumer.position(partition) < end) {
                    consumer.poll(POLL).forEach(fetched::add);
                }
                ConsumerRecord<byte[], byte[]> next = fetched.peek();
                if (next == null) {
                    return null;
                }
                Key found = isSchema(next) ? null : key(next);
                if (found != null && found.offset() > wanted.offset()) {
                    return null;
                }
                fetched.remove();
                if (wanted.equals(found)) {
                    return next.value();
                }
            }
        }

        private static boolean isSchema(ConsumerRecord<byte[], byte[]> record) {
            Header kind = record.headers().lastHeader(RecordKinds.HEADER);
            return kind != null && RecordKinds.SCHEMA.equals(new String(kind.value(), StandardCharsets.UTF_8));
        }

        /** Null for a record of another log. */
        private @Nullable Key key(ConsumerRecord<byte[], byte[]> record) {
            try {
                JsonNode json = Json.mapper().readTree(record.value());
                SourcePosition position = Json.mapper().treeToValue(json.required("position"), SourcePosition.class);
                return position.topicId().equals(topicId)
                        ? new Key(
                                position.offset(),
                                json.path("revision").asLong(),
                                json.path("source").asText(),
                                json.path("event_id").asText())
                        : null;
            } catch (IOException e) {
                throw new ServiceException(partition + " offset " + record.offset() + " is no scored record", e);
            }
        }
    }

    private static final class Comparison implements ScoringOutbox {
        private final LiveScores scores;
        private Result result = Result.NONE;
        private boolean inSpan;

        Comparison(LiveScores scores) {
            this.scores = scores;
        }

        @Override
        public void scored(ScoredView event) {
            byte[] live = scores.at(Key.of(event));
            if (!inSpan) {
                return;
            }
            if (live == null) {
                result = result.plus(new Result(0, 0, 1, "event " + event.eventId() + " was never scored live"));
            } else if (Arrays.equals(live, event.encode())) {
                result = result.plus(new Result(1, 0, 0, null));
            } else {
                result = result.plus(new Result(1, 1, 0, "event " + event.eventId() + " was scored differently live"));
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
            // In a topic of its own, which is not compared.
        }

        @Override
        public void schema(byte[] schema) {
            // Follows from the policy's record in the log.
        }

        @Override
        public void late(LogRecord record) {
            // Not scored on either side; a live score for it would surface as one that is passed over.
        }

        @Override
        public void deadLetter(LogRecord record, DeadLetter.Reason reason, String detail) {
            // As for late ones.
        }
    }
}
