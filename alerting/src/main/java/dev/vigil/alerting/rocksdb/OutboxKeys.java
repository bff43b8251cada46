package dev.vigil.alerting.rocksdb;

import dev.vigil.alerting.CooldownMark;
import dev.vigil.alerting.LogPartition;
import dev.vigil.alerting.PendingDelivery;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys of the outbox: a letter for the kind, then parts of fixed width or with their length or end marked, integers
 * big-endian, so that the order of keys is the order wanted.
 */
final class OutboxKeys {
    static final byte[] FORMAT = {'V'};
    static final byte[] ID = {'I'};
    static final byte[] COUNTS = {'C'};
    static final byte[] SEQUENCES = {'Q'};

    private static final int SEQ_BYTES = Long.BYTES;

    private OutboxKeys() {}

    static byte[] nextOffset(LogPartition partition) {
        return partition('O', partition);
    }

    static byte[] passedOffset(LogPartition partition) {
        return partition('S', partition);
    }

    static byte[] alert(long alertSeq) {
        return numbered('A', alertSeq);
    }

    static byte[] caseOf(long alertSeq) {
        return numbered('K', alertSeq);
    }

    static byte[] openDeliveries(long alertSeq) {
        return numbered('R', alertSeq);
    }

    static byte[] outgoing(long recordSeq) {
        return numbered('E', recordSeq);
    }

    static byte[] outgoingEnd() {
        return new byte[] {'E' + 1};
    }

    static long recordSeq(byte[] outgoingKey) {
        return ByteBuffer.wrap(outgoingKey, 1, SEQ_BYTES).getLong();
    }

    static byte[] disabled(String endpoint) {
        return named('N', endpoint, 0).array();
    }

    /** Of a delivery that another instance ended; alert ids hold no zero. */
    static byte[] settled(String alertId, String endpoint) {
        return utf8('F' + alertId + '\0' + endpoint);
    }

    static byte[] settledFrom() {
        return new byte[] {'F'};
    }

    static byte[] settledEnd() {
        return new byte[] {'F' + 1};
    }

    /** Of the alert of an account that the others wait for. */
    static byte[] orderHead(String endpoint, String account) {
        byte[] bytes = utf8(account);
        return named('U', endpoint, 1 + bytes.length).put((byte) 0).put(bytes).array();
    }

    static byte[] orderHeadsFrom() {
        return new byte[] {'U'};
    }

    static byte[] orderHeadsEnd() {
        return new byte[] {'U' + 1};
    }

    /** Of an alert that waits for others of its account; in order of acceptance. */
    static byte[] orderWaiting(String endpoint, String account, long alertSeq) {
        byte[] bytes = utf8(account);
        return named('Z', endpoint, 1 + Integer.BYTES + bytes.length + SEQ_BYTES)
                .put((byte) 0)
                .putInt(bytes.length)
                .put(bytes)
                .putLong(alertSeq)
                .array();
    }

    static long waitingSeq(byte[] waitingKey) {
        return ByteBuffer.wrap(waitingKey, waitingKey.length - SEQ_BYTES, SEQ_BYTES)
                .getLong();
    }

    /** Of a delivery that is made once more on request. */
    static byte[] redelivered(String alertId, String endpoint) {
        return utf8('G' + alertId + '\0' + endpoint);
    }

    static byte[] redeliveredFrom() {
        return new byte[] {'G'};
    }

    static byte[] redeliveredEnd() {
        return new byte[] {'G' + 1};
    }

    /** Before every delivery of the endpoint that is due at that time or later. */
    static byte[] dueFrom(String endpoint, long dueAtMs) {
        return named('D', endpoint, 1 + Long.BYTES)
                .put((byte) 0)
                .putLong(dueAtMs)
                .array();
    }

    /** After every delivery of the endpoint; names hold nothing below '-'. */
    static byte[] dueEnd(String endpoint) {
        return named('D', endpoint, 1).put((byte) 1).array();
    }

    static byte[] delivery(PendingDelivery delivery) {
        return named('D', delivery.endpoint(), 1 + Long.BYTES + SEQ_BYTES)
                .put((byte) 0)
                .putLong(delivery.dueAtMs())
                .putLong(delivery.alertSeq())
                .array();
    }

    /** Due time and alert number at the end of a delivery's key. */
    static ByteBuffer dueAndSeq(byte[] deliveryKey) {
        int tailBytes = Long.BYTES + SEQ_BYTES;
        return ByteBuffer.wrap(deliveryKey, deliveryKey.length - tailBytes, tailBytes);
    }

    static byte[] mark(CooldownMark.Group group) {
        byte[] policy = utf8(group.policy());
        byte[] value = utf8(group.value());
        return ByteBuffer.allocate(1 + Integer.BYTES + policy.length + value.length)
                .put((byte) 'M')
                .putInt(policy.length)
                .put(policy)
                .put(value)
                .array();
    }

    /** Where the mark's expiry is noted, in order of event time within the partition; ends in the mark's own key. */
    static byte[] expiry(CooldownMark mark) {
        byte[] markKey = mark(mark.group());
        return ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES + markKey.length)
                .put(expiryUpTo(mark.partition(), mark.expiresAtUs()))
                .put(markKey)
                .array();
    }

    static byte[] expiriesOf(int partition) {
        return ByteBuffer.allocate(1 + Integer.BYTES)
                .put((byte) 'X')
                .putInt(partition)
                .array();
    }

    /** After every expiry of the partition before that event time. */
    static byte[] expiryUpTo(int partition, long eventTimeUs) {
        return ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES)
                .put(expiriesOf(partition))
                .putLong(eventTimeUs ^ Long.MIN_VALUE)
                .array();
    }

    static long expiresAtUs(byte[] expiryKey) {
        return ByteBuffer.wrap(expiryKey, 1 + Integer.BYTES, Long.BYTES).getLong() ^ Long.MIN_VALUE;
    }

    static byte[] markOf(byte[] expiryKey) {
        return Arrays.copyOfRange(expiryKey, 1 + Integer.BYTES + Long.BYTES, expiryKey.length);
    }

    private static byte[] partition(char kind, LogPartition partition) {
        return named(kind, partition.topicId(), 1 + Integer.BYTES)
                .put((byte) 0)
                .putInt(partition.partition())
                .array();
    }

    private static byte[] numbered(char kind, long seq) {
        return ByteBuffer.allocate(1 + SEQ_BYTES).put((byte) kind).putLong(seq).array();
    }

    private static ByteBuffer named(char kind, String name, int moreBytes) {
        byte[] bytes = utf8(name);
        return ByteBuffer.allocate(1 + bytes.length + moreBytes)
                .put((byte) kind)
                .put(bytes);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
