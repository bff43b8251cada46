package dev.vigil.scoring;

import dev.vigil.event.EventEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record of the log, as far as scoring reads it. Filled by a runner: {@link #begin}, then {@link #header} for each
 * header. Reused from record to record by one thread.
 */
public final class LogRecord {
    private static final int MAX_INTERNED = 4_096;

    private final Map<Bytes, String> interned = new HashMap<>();
    private final Bytes probe = new Bytes();
    private long offset;
    private long ingestTimeMs;
    private byte @Nullable [] key;
    private byte @Nullable [] value;
    private @Nullable String id;
    private @Nullable String source;
    private @Nullable String type;
    private @Nullable String time;
    private @Nullable String subject;
    private boolean backfill;
    private byte @Nullable [] data;
    private @Nullable Long timeUs;
    private boolean flat;
    private @Nullable String account;

    /** Starts the next record; everything of the one before is forgotten. */
    public LogRecord begin(long offset, long ingestTimeMs, byte @Nullable [] key, byte @Nullable [] value) {
        this.offset = offset;
        this.ingestTimeMs = ingestTimeMs;
        this.key = key;
        this.value = value;
        this.data = value;
        timeUs = null;
        flat = false;
        account = null;
        id = null;
        source = null;
        type = null;
        time = null;
        subject = null;
        backfill = false;
        return this;
    }

    /** Takes in a header; those that scoring does not read are ignored. Of several of one name the last holds. */
    public LogRecord header(String name, byte @Nullable [] bytes) {
        if (bytes == null) {
            return this;
        }
        switch (name) {
            case EventEnvelope.ID_HEADER -> id = utf8(bytes);
            case EventEnvelope.SOURCE_HEADER -> source = intern(bytes);
            case EventEnvelope.TYPE_HEADER -> type = intern(bytes);
            case EventEnvelope.TIME_HEADER -> time = utf8(bytes);
            case EventEnvelope.SUBJECT_HEADER -> subject = utf8(bytes);
            case EventEnvelope.BACKFILL_HEADER -> backfill = bytes.length == 4 && bytes[0] == 't';
            default -> {}
        }
        return this;
    }

    /** What a record without headers has in their place. */
    void plain(
            @Nullable String plainId,
            String plainSource,
            @Nullable String plainType,
            @Nullable String plainAccount,
            @Nullable Long plainTimeUs) {
        id = plainId;
        source = plainSource;
        type = plainType;
        subject = plainAccount;
        account = null;
        timeUs = plainTimeUs;
    }

    /** A plain record whose data are read together with its envelope. */
    void flat(String plainSource, String plainType) {
        source = plainSource;
        type = plainType;
        flat = true;
    }

    boolean isFlat() {
        return flat;
    }

    void data(byte @Nullable [] found) {
        data = found;
    }

    /** Types and sources are few and in every record. */
    private String intern(byte[] bytes) {
        probe.bytes = bytes;
        String known = interned.get(probe);
        if (known != null) {
            return known;
        }
        String text = utf8(bytes);
        if (interned.size() < MAX_INTERNED) {
            Bytes kept = new Bytes();
            kept.bytes = bytes;
            interned.put(kept, text);
        }
        return text;
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    public long offset() {
        return offset;
    }

    public long ingestTimeMs() {
        return ingestTimeMs;
    }

    public byte @Nullable [] value() {
        return value;
    }

    @Nullable
    String id() {
        return id;
    }

    @Nullable
    String source() {
        return source;
    }

    @Nullable
    String type() {
        return type;
    }

    @Nullable
    String time() {
        return time;
    }

    /** Event time, µs, where it was not a text; else {@link #time} has it. */
    @Nullable
    Long timeUs() {
        return timeUs;
    }

    /** The JSON object that has the event's fields. */
    byte @Nullable [] data() {
        return data;
    }

    boolean isBackfill() {
        return backfill;
    }

    /** The subject, else the key; empty if there is neither. */
    String account() {
        if (account == null) {
            account = subject != null ? subject : key == null ? "" : utf8(key);
        }
        return account;
    }

    private static final class Bytes {
        private byte[] bytes = {};

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes that && java.util.Arrays.equals(that.bytes, bytes);
        }

        @Override
        public int hashCode() {
            return java.util.Arrays.hashCode(bytes);
        }
    }
}
