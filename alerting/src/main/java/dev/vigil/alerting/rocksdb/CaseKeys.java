package dev.vigil.alerting.rocksdb;

import dev.vigil.alerting.cases.CasePlace;
import dev.vigil.alerting.cases.CaseTimer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys of cases in the outbox, built like {@link OutboxKeys}. Ids of cases and fingerprints are hexadecimal and of one length, so
 * none is the beginning of another.
 */
final class CaseKeys {
    /** What stands under a case's id, line by line. */
    enum Lines {
        ALERTS('L'),
        TARGETS('B'),
        ENTRIES('J');

        private final char letter;

        Lines(char letter) {
            this.letter = letter;
        }

        /** @param number 1 for the first */
        byte[] line(String caseId, long number) {
            byte[] id = utf8(caseId);
            return ByteBuffer.allocate(1 + id.length + Long.BYTES)
                    .put((byte) letter)
                    .put(id)
                    .putLong(number)
                    .array();
        }

        byte[] from(String caseId) {
            return line(caseId, 0);
        }

        byte[] end(String caseId) {
            return line(caseId, Long.MAX_VALUE);
        }
    }

    private static final int LIST_HEAD_BYTES = 1 + Long.BYTES;
    private static final int TIMER_HEAD_BYTES = 1 + Integer.BYTES + Long.BYTES;

    private CaseKeys() {}

    static byte[] head(String caseId) {
        return named('H', caseId);
    }

    static byte[] latest(String fingerprint) {
        return named('P', fingerprint);
    }

    static byte[] eventTime(int partition) {
        return ByteBuffer.allocate(1 + Integer.BYTES)
                .put((byte) 'W')
                .putInt(partition)
                .array();
    }

    /** The latest first. */
    static byte[] listed(CasePlace place) {
        byte[] id = utf8(place.caseId());
        return ByteBuffer.allocate(LIST_HEAD_BYTES + id.length)
                .put((byte) 'Y')
                .putLong(~(place.lastAlertAtUs() ^ Long.MIN_VALUE))
                .put(id)
                .array();
    }

    static byte[] listFrom() {
        return new byte[] {'Y'};
    }

    static byte[] listAfter(CasePlace place) {
        byte[] listed = listed(place);
        return Arrays.copyOf(listed, listed.length + 1);
    }

    static byte[] listEnd() {
        return new byte[] {'Y' + 1};
    }

    static CasePlace place(byte[] listKey) {
        long lastAlertAtUs = ~ByteBuffer.wrap(listKey, 1, Long.BYTES).getLong() ^ Long.MIN_VALUE;
        return new CasePlace(lastAlertAtUs, tail(listKey, LIST_HEAD_BYTES));
    }

    static byte[] timer(int partition, CaseTimer timer) {
        byte[] id = utf8(timer.caseId());
        return ByteBuffer.allocate(TIMER_HEAD_BYTES + id.length)
                .put((byte) 'T')
                .putInt(partition)
                .putLong(timer.atUs() ^ Long.MIN_VALUE)
                .put(id)
                .array();
    }

    static byte[] timersOf(int partition) {
        return timer(partition, new CaseTimer(Long.MIN_VALUE, ""));
    }

    /** After every timer of the partition at or before that time. */
    static byte[] timersEnd(int partition, long upToUs) {
        return timer(partition, new CaseTimer(upToUs + 1, ""));
    }

    static CaseTimer timer(byte[] timerKey) {
        long atUs = ByteBuffer.wrap(timerKey, 1 + Integer.BYTES, Long.BYTES).getLong() ^ Long.MIN_VALUE;
        return new CaseTimer(atUs, tail(timerKey, TIMER_HEAD_BYTES));
    }

    private static byte[] named(char kind, String name) {
        return utf8(kind + name);
    }

    private static String tail(byte[] key, int from) {
        return new String(key, from, key.length - from, StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
