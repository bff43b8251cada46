package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.deadletter.LetterPosition;
import dev.vigil.dashboard.deadletter.LetterSummary;
import dev.vigil.dashboard.deadletter.RetryMark;
import dev.vigil.event.Json;
import dev.vigil.service.kafka.Offsets;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Which letters were put back: records of a topic of their own, in the partition of the same number as the letter, so that
 * the letters stay as they are. Key: the letter's position; value: where its record went.
 */
final class RetryMarks {
    /** By which the clocks of whoever wrote a letter and its mark may differ. */
    private static final long CLOCK_DIFFERENCE_MS = TimeUnit.DAYS.toMillis(1);

    private RetryMarks() {}

    /** A mark's value. */
    record Value(String into) {}

    static ProducerRecord<byte[], byte[]> record(String topic, LetterPosition letter, String into) {
        return new ProducerRecord<>(
                topic,
                letter.partition(),
                letter.toString().getBytes(StandardCharsets.UTF_8),
                Json.encode(new Value(into)));
    }

    /** The letters with their marks; of several of one letter, the last. Reads marks that are younger than the letters. */
    static List<LetterSummary> mark(List<LetterSummary> letters, BoundedReader reader, String topic) {
        Map<TopicPartition, Long> sinceMs = new HashMap<>();
        Set<String> wanted = new HashSet<>();
        List<TopicPartition> partitions = reader.partitions(topic);
        for (LetterSummary letter : letters) {
            TopicPartition partition = new TopicPartition(topic, letter.partition());
            if (partitions.contains(partition)) {
                sinceMs.merge(partition, Math.max(0, letter.atMs() - CLOCK_DIFFERENCE_MS), Math::min);
                wanted.add(letter.position().toString());
            }
        }
        if (wanted.isEmpty()) {
            return letters;
        }
        Map<String, RetryMark> marks = read(reader, sinceMs, wanted);
        return letters.stream()
                .map(letter -> letter.withRetry(marks.get(letter.position().toString())))
                .toList();
    }

    private static Map<String, RetryMark> read(
            BoundedReader reader, Map<TopicPartition, Long> sinceMs, Set<String> wanted) {
        Map<String, RetryMark> marks = new HashMap<>();
        Map<TopicPartition, OffsetAndTimestamp> starts = reader.firstAfter(sinceMs);
        Map<TopicPartition, Long> ends = reader.ends(sinceMs.keySet());
        for (TopicPartition partition : sinceMs.keySet()) {
            OffsetAndTimestamp start = starts.get(partition);
            if (start != null) {
                reader.read(partition, start.offset(), Offsets.of(partition, ends), mark -> {
                    String letter = mark.key() == null ? "" : new String(mark.key(), StandardCharsets.UTF_8);
                    if (wanted.contains(letter)) {
                        marks.put(letter, mark(mark));
                    }
                });
            }
        }
        return marks;
    }

    private static RetryMark mark(ConsumerRecord<byte[], byte[]> mark) {
        return new RetryMark(
                mark.timestamp(), Json.decode(mark.value(), Value.class).into());
    }
}
