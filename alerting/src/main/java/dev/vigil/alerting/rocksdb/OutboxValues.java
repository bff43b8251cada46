package dev.vigil.alerting.rocksdb;

import dev.vigil.alerting.CooldownMark;
import dev.vigil.alerting.IntakeBatch;
import dev.vigil.alerting.OutgoingRecord;
import dev.vigil.alerting.PendingDelivery;
import dev.vigil.alerting.StoredAlert;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Values of the outbox; see docs/formats/outbox.md. */
final class OutboxValues {
    private static final int ABSENT = -1;

    private OutboxValues() {}

    static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    static long number(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    static byte[] text(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }

    /** Which case an alert belongs to: whether it escalates, then the case's id. */
    static byte[] caseOf(IntakeBatch.RoutedAlert alert) {
        return text((alert.escalation() ? "!" : ".") + alert.caseId());
    }

    /** @param caseOf empty for an alert from before there were cases */
    static StoredAlert alert(byte[] json, Optional<byte[]> caseOf) {
        String text = caseOf.map(OutboxValues::text).orElse("");
        return text.isEmpty()
                ? new StoredAlert(json, null, false)
                : new StoredAlert(json, text.substring(1), text.charAt(0) == '!');
    }

    static byte[] count(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    static int count(byte[] value) {
        return ByteBuffer.wrap(value).getInt();
    }

    static byte[] sequences(long nextAlertSeq, long nextRecordSeq) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(nextAlertSeq)
                .putLong(nextRecordSeq)
                .array();
    }

    static byte[] delivery(PendingDelivery delivery) {
        return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(delivery.attemptsMade())
                .putLong(delivery.firstAttemptAtMs())
                .array();
    }

    static PendingDelivery delivery(String endpoint, byte[] key, byte[] value) {
        ByteBuffer dueAndSeq = OutboxKeys.dueAndSeq(key);
        long dueAtMs = dueAndSeq.getLong();
        long alertSeq = dueAndSeq.getLong();
        ByteBuffer state = ByteBuffer.wrap(value);
        return new PendingDelivery(endpoint, alertSeq, dueAtMs, state.getInt(), state.getLong());
    }

    static byte[] mark(CooldownMark mark) {
        byte[] alertId = mark.alertId().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + 2 * Long.BYTES + alertId.length)
                .putInt(mark.partition())
                .putLong(mark.eventTimeUs())
                .putLong(mark.expiresAtUs())
                .put(alertId)
                .array();
    }

    static CooldownMark mark(CooldownMark.Group group, byte[] value) {
        ByteBuffer buffer = ByteBuffer.wrap(value);
        int partition = buffer.getInt();
        long eventTimeUs = buffer.getLong();
        long expiresAtUs = buffer.getLong();
        String alertId = StandardCharsets.UTF_8.decode(buffer).toString();
        return new CooldownMark(group, partition, alertId, eventTimeUs, expiresAtUs);
    }

    static long expiresAtUs(byte[] markValue) {
        return ByteBuffer.wrap(markValue).getLong(Integer.BYTES + Long.BYTES);
    }

    static byte[] outgoing(OutgoingRecord outgoing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(letter(outgoing.destination()));
            write(out, outgoing.key());
            write(out, outgoing.value());
            out.writeInt(outgoing.headers().size());
            for (Map.Entry<String, byte[]> header : outgoing.headers().entrySet()) {
                write(out, header.getKey().getBytes(StandardCharsets.UTF_8));
                write(out, header.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static OutgoingRecord outgoing(byte[] value) {
        ByteBuffer buffer = ByteBuffer.wrap(value);
        OutgoingRecord.Destination destination = destination(buffer.get());
        byte[] key = read(buffer);
        byte[] body = present(read(buffer));
        int headerCount = buffer.getInt();
        Map<String, byte[]> headers = new LinkedHashMap<>();
        for (int i = 0; i < headerCount; i++) {
            String name = new String(present(read(buffer)), StandardCharsets.UTF_8);
            headers.put(name, present(read(buffer)));
        }
        return new OutgoingRecord(destination, key, body, headers);
    }

    private static byte letter(OutgoingRecord.Destination destination) {
        return switch (destination) {
            case DELIVERIES -> 'D';
            case DEAD_LETTERS -> 'L';
            case EVENTS -> 'E';
        };
    }

    private static OutgoingRecord.Destination destination(byte letter) {
        return switch (letter) {
            case 'D' -> OutgoingRecord.Destination.DELIVERIES;
            case 'L' -> OutgoingRecord.Destination.DEAD_LETTERS;
            case 'E' -> OutgoingRecord.Destination.EVENTS;
            default -> throw new IllegalStateException("expected D, L or E as a record's destination, found " + letter);
        };
    }

    private static void write(DataOutputStream out, byte @Nullable [] part) throws IOException {
        if (part == null) {
            out.writeInt(ABSENT);
        } else {
            out.writeInt(part.length);
            out.write(part);
        }
    }

    private static byte @Nullable [] read(ByteBuffer buffer) {
        int length = buffer.getInt();
        if (length == ABSENT) {
            return null;
        }
        byte[] part = new byte[length];
        buffer.get(part);
        return part;
    }

    private static byte[] present(byte @Nullable [] part) {
        if (part == null) {
            throw new IllegalStateException("expected a value in an outgoing record, found none");
        }
        return part;
    }
}
