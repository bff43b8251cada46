package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.deadletter.LetterHeader;
import dev.vigil.dashboard.deadletter.LetterPosition;
import dev.vigil.dashboard.deadletter.StoredLetter;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Records of the topic of dead letters as letters. */
final class StoredLetters {
    private StoredLetters() {}

    static StoredLetter of(ConsumerRecord<byte[], byte[]> record) {
        List<LetterHeader> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            headers.add(new LetterHeader(header.key(), header.value()));
        }
        return new StoredLetter(
                new LetterPosition(record.partition(), record.offset()),
                record.timestamp(),
                record.key(),
                record.value(),
                headers);
    }
}
