package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.deadletter.LetterHeader;
import dev.vigil.dashboard.deadletter.LetterPosition;
import dev.vigil.dashboard.deadletter.RetryOutcome;
import dev.vigil.dashboard.deadletter.RetryTarget;
import dev.vigil.dashboard.deadletter.StoredLetter;
import dev.vigil.event.TopicNames;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Puts letters back, some hundred at a time: sends the records, waits for the broker, marks the letters. One thread. */
final class LetterRetry implements AutoCloseable {
    private static final int BATCH = 100;
    /** As much as the topic of dead letters takes. */
    private static final int MAX_REQUEST_BYTES = 8 << 20;
    /** Letters that are further apart are read one by one. */
    private static final long MAX_GAP = 500;

    private record Sent(LetterPosition letter, Future<RecordMetadata> outcome) {}

    private final TopicNames topics;
    private final BoundedReader reader;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Map<LetterPosition, RetryOutcome> outcomes = new TreeMap<>();
    private final List<Sent> sent = new ArrayList<>();

    /** @param patience how long a broker may take to acknowledge */
    LetterRetry(KafkaConfig config, String clientId, Duration patience, BoundedReader reader) {
        this.topics = config.topics();
        this.reader = reader;
        int patienceMs = Math.toIntExact(patience.toMillis());
        this.producer = KafkaClients.producer(
                config,
                clientId,
                Map.of(
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES,
                        ProducerConfig.MAX_BLOCK_MS_CONFIG, patienceMs,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, patienceMs,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, patienceMs / 2));
    }

    List<RetryOutcome> putBack(SortedSet<LetterPosition> positions, List<TopicPartition> partitions) {
        positions.forEach(position -> outcomes.put(position, RetryOutcome.refused(position, RetryOutcome.GONE)));
        Map<TopicPartition, Long> begins = reader.beginnings(partitions);
        Map<TopicPartition, Long> ends = reader.ends(partitions);
        for (TopicPartition partition : partitions) {
            int number = partition.partition();
            long begin = Offsets.of(partition, begins);
            long end = Offsets.of(partition, ends);
            if (begin < end) {
                putBack(
                        partition,
                        positions.subSet(new LetterPosition(number, begin), new LetterPosition(number, end)));
            }
        }
        settle();
        return List.copyOf(outcomes.values());
    }

    private void putBack(TopicPartition partition, SortedSet<LetterPosition> positions) {
        SortedSet<LetterPosition> rest = new TreeSet<>(positions);
        while (!rest.isEmpty()) {
            SortedSet<LetterPosition> run = run(rest);
            reader.read(partition, run.first().offset(), run.last().offset() + 1, record -> {
                StoredLetter letter = StoredLetters.of(record);
                if (run.contains(letter.position())) {
                    putBack(letter);
                }
            });
            rest.removeAll(run);
        }
    }

    /** The first of them that are near each other. */
    private static SortedSet<LetterPosition> run(SortedSet<LetterPosition> positions) {
        SortedSet<LetterPosition> run = new TreeSet<>();
        for (LetterPosition position : positions) {
            if (!run.isEmpty() && position.offset() - run.last().offset() > MAX_GAP) {
                break;
            }
            run.add(position);
        }
        return run;
    }

    private void putBack(StoredLetter letter) {
        RetryTarget target = RetryTarget.of(letter, topics);
        String topic = target.topic();
        if (topic == null) {
            outcomes.put(letter.position(), RetryOutcome.refused(letter.position(), String.valueOf(target.refusal())));
            return;
        }
        if (reader.partitions(topic).size() <= target.partition()) {
            String why = "topic " + topic + " has no partition " + target.partition() + " here";
            outcomes.put(letter.position(), RetryOutcome.refused(letter.position(), why));
            return;
        }
        sent.add(new Sent(
                letter.position(),
                producer.send(new ProducerRecord<>(
                        topic, target.partition(), null, letter.key(), letter.value(), headers(letter)))));
        if (sent.size() >= BATCH) {
            settle();
        }
    }

    private static List<Header> headers(StoredLetter letter) {
        List<Header> headers = new ArrayList<>();
        for (LetterHeader header : letter.originalHeaders()) {
            headers.add(new RecordHeader(header.name(), header.value()));
        }
        return headers;
    }

    /** Waits for what was sent and marks it; only then fails, if something did not arrive. */
    private void settle() {
        List<Future<RecordMetadata>> marks = new ArrayList<>();
        ExecutionException failure = null;
        for (Sent one : sent) {
            try {
                RecordMetadata at = await(one.outcome());
                RetryOutcome outcome = RetryOutcome.into(one.letter(), at.topic(), at.partition(), at.offset());
                outcomes.put(one.letter(), outcome);
                marks.add(producer.send(
                        RetryMarks.record(topics.deadLetterRetries(), one.letter(), String.valueOf(outcome.into()))));
            } catch (ExecutionException e) {
                failure = e.getCause() instanceof RecordTooLargeException ? failure : e;
                outcomes.put(
                        one.letter(), RetryOutcome.refused(one.letter(), "it is larger than its topic takes by now"));
            }
        }
        sent.clear();
        for (Future<RecordMetadata> mark : marks) {
            try {
                await(mark);
            } catch (ExecutionException e) {
                failure = e;
            }
        }
        throwIf(failure);
    }

    private static void throwIf(@Nullable ExecutionException failure) {
        if (failure != null) {
            throw ServiceException.because(
                    "not all of them were put back and marked; put them back again, what arrived counts once", failure);
        }
    }

    private static RecordMetadata await(Future<RecordMetadata> sending) throws ExecutionException {
        try {
            return sending.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted while putting dead letters back", e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(1));
    }
}
