package dev.vigil.dashboard.kafka;

import dev.vigil.event.RecordKinds;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record that a {@link TopicTail} came by.
 *
 * @param kind one of {@link RecordKinds}; absent where the record does not tell
 * @param live false for a record that was there when the tail began
 */
public record TailRecord(
        String topic,
        int partition,
        long offset,
        @Nullable String kind,
        byte @Nullable [] key,
        byte @Nullable [] value,
        boolean live) {
    static TailRecord of(ConsumerRecord<byte[], byte[]> record, boolean live) {
        Header kind = record.headers().lastHeader(RecordKinds.HEADER);
        return new TailRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                kind == null ? null : new String(kind.value(), StandardCharsets.UTF_8),
                record.key(),
                record.value(),
                live);
    }
}
