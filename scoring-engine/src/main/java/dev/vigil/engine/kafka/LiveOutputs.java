package dev.vigil.engine.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Json;
import dev.vigil.event.RecordKinds;
import dev.vigil.event.SourcePosition;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What the live engine has written to one partition of a topic, in order of source offsets, repeats left out but compared. It may be at
 * work, and a little behind the log: what is not there yet is waited for, for a few seconds in all. One thread.
 */
final class LiveOutputs implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int VAIN_POLLS_MAX = 10;
    private static final int REMEMBERED_MAX = 200_000;

    /**
     * Where an output comes from.
     *
     * @param offset in the log, of the record that led to it
     * @param atPosition tells the outputs of one record apart
     */
    record Key(long offset, String atPosition) {}

    /** Told of outputs that were not asked for. */
    interface Unasked {
        /** It repeats an earlier one with other bytes. */
        void differs(Key key);

        /** It is none that the log leads to. */
        void invented(Key key);
    }

    /** Reads the second part of a {@link Key}. */
    interface KeyReader {
        String keyAtPosition(JsonNode output);
    }

    private final Consumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final String topicId;
    private final KeyReader keys;
    private final Unasked unasked;
    /** Hashes of what was found, the oldest first: what a repeat is compared with. */
    private final Map<Key, Integer> seen = new LinkedHashMap<>();
    /** Found beside the one that was asked for, of the same record. */
    private final Map<Key, byte[]> beside = new LinkedHashMap<>();

    private long forgottenOffset = -1;
    private final Deque<ConsumerRecord<byte[], byte[]>> fetched = new ArrayDeque<>();
    private int vainPolls;

    /** @param topicId of the log; outputs that come from another are passed over */
    LiveOutputs(KafkaConfig kafka, TopicPartition partition, String topicId, KeyReader keys, Unasked unasked) {
        this.consumer = KafkaClients.consumer(kafka, "vigil-verify-live", Map.of());
        this.partition = partition;
        this.topicId = topicId;
        this.keys = keys;
        this.unasked = unasked;
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
    }

    /** The output of this key; offsets do not fall from call to call. Null if the live engine wrote none. */
    byte @Nullable [] at(Key wanted) {
        tellBesideBelow(wanted.offset());
        byte[] earlier = beside.remove(wanted);
        if (earlier != null) {
            return remember(wanted, earlier);
        }
        while (true) {
            ConsumerRecord<byte[], byte[]> next = next(true);
            if (next == null) {
                return null;
            }
            Key found = isSchema(next) ? null : key(next);
            if (found != null && found.offset() > wanted.offset()) {
                return null;
            }
            fetched.remove();
            if (wanted.equals(found)) {
                return remember(wanted, next.value());
            }
            if (found != null) {
                pass(found, next.value());
            }
        }
    }

    /** Passes over what is left of outputs of records before that offset, without waiting for more. */
    void finish(long endOffset) {
        tellBesideBelow(endOffset);
        for (ConsumerRecord<byte[], byte[]> next = next(false); next != null; next = next(false)) {
            fetched.remove();
            Key found = isSchema(next) ? null : key(next);
            if (found != null && found.offset() < endOffset) {
                pass(found, next.value());
            }
        }
        tellBesideBelow(endOffset);
    }

    private byte[] remember(Key key, byte[] output) {
        seen.put(key, Arrays.hashCode(output));
        if (seen.size() > REMEMBERED_MAX) {
            Key oldest = seen.keySet().iterator().next();
            seen.remove(oldest);
            forgottenOffset = oldest.offset();
        }
        return output;
    }

    /** Repeats of what is no longer remembered are not judged. */
    private void pass(Key key, byte[] output) {
        Integer earlier = seen.get(key);
        if (earlier != null) {
            if (earlier != Arrays.hashCode(output)) {
                unasked.differs(key);
            }
        } else if (key.offset() > forgottenOffset) {
            beside.putIfAbsent(key, output);
        }
    }

    private void tellBesideBelow(long offset) {
        Iterator<Map.Entry<Key, byte[]>> each = beside.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Key, byte[]> one = each.next();
            if (one.getKey().offset() < offset) {
                each.remove();
                unasked.invented(one.getKey());
                remember(one.getKey(), one.getValue());
            }
        }
    }

    /** @param waits for outputs that the live engine has yet to write */
    private @Nullable ConsumerRecord<byte[], byte[]> next(boolean waits) {
        while (fetched.isEmpty()) {
            boolean atEnd = consumer.position(partition) >= Offsets.end(consumer, partition);
            if (atEnd && (!waits || vainPolls >= VAIN_POLLS_MAX)) {
                return null;
            }
            consumer.poll(POLL).forEach(fetched::add);
            if (atEnd && fetched.isEmpty()) {
                vainPolls++;
            }
        }
        return fetched.peek();
    }

    private static boolean isSchema(ConsumerRecord<byte[], byte[]> record) {
        Header kind = record.headers().lastHeader(RecordKinds.HEADER);
        return kind != null && RecordKinds.SCHEMA.equals(new String(kind.value(), StandardCharsets.UTF_8));
    }

    /** Null for an output of another log. */
    private @Nullable Key key(ConsumerRecord<byte[], byte[]> record) {
        try {
            JsonNode json = Json.mapper().readTree(record.value());
            SourcePosition position = Json.mapper().treeToValue(json.required("position"), SourcePosition.class);
            return position.topicId().equals(topicId) ? new Key(position.offset(), keys.keyAtPosition(json)) : null;
        } catch (IOException e) {
            throw new ServiceException(partition + " offset " + record.offset() + " is no output of an engine", e);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
