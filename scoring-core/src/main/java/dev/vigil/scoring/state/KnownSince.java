package dev.vigil.scoring.state;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Since which event time the task holds all events of a type and all values of a field: of a time later than that, none
 * is missing that the log had and that was not refused. Part of the task's state; changes when a policy becomes active and
 * when the first event is accepted, else never. One thread.
 */
public final class KnownSince {
    /** Nothing was ever missed. */
    public static final long ALWAYS = Long.MIN_VALUE;

    private static final int VERSION = 1;

    private record TypedField(String eventType, EventLayout.Field field) {}

    private final Map<String, Long> types = new LinkedHashMap<>();
    private final Map<TypedField, Long> fields = new LinkedHashMap<>();
    private long firstEventUs = ALWAYS;
    private long forgottenUs = ALWAYS;
    private long newestUs = ALWAYS;
    private boolean changed;
    private int revision;

    /** To be told of every accepted event; takes note of the first. */
    public void accepted(long timeUs) {
        if (firstEventUs == ALWAYS) {
            firstEventUs = timeUs;
            changed();
        }
    }

    public boolean hasEvents() {
        return firstEventUs != ALWAYS;
    }

    /** Changes with what this knows. */
    public int revision() {
        return revision;
    }

    /**
     * A policy leaves: what it forgot is not there for the next one.
     *
     * @param newestUs no event accepted so far is later
     * @param forgottenUs events at or before this may have left; {@link #ALWAYS} for none
     */
    public void leaving(long newestUs, long forgottenUs) {
        this.newestUs = Math.max(this.newestUs, newestUs);
        this.forgottenUs = Math.max(this.forgottenUs, forgottenUs);
        changed();
    }

    /**
     * A policy becomes active. Types and fields that the one before declared go on; of others, what came until now was
     * refused or stored without them.
     *
     * @param declared fields by event type
     * @param missedUs no event that was refused so far is later; {@link #ALWAYS} if none was refused
     */
    public void declared(Map<String, List<EventLayout.Field>> declared, long missedUs) {
        long typesUs = missedUs == ALWAYS ? ALWAYS : Math.max(missedUs, newestUs);
        Map<String, Long> knownTypes = new LinkedHashMap<>(types);
        Map<TypedField, Long> knownFields = new LinkedHashMap<>(fields);
        types.clear();
        fields.clear();
        declared.forEach((type, typeFields) -> {
            types.put(type, knownTypes.getOrDefault(type, typesUs));
            for (EventLayout.Field field : typeFields) {
                TypedField key = new TypedField(type, field);
                fields.put(key, knownFields.getOrDefault(key, newestUs));
            }
        });
        changed();
    }

    /**
     * Events later than this are all held, with all of the fields.
     *
     * @param of declared fields of the type
     */
    public long sinceUs(String eventType, Collection<EventLayout.Field> of) {
        long since = Math.max(Math.max(firstEventUs, forgottenUs), types.getOrDefault(eventType, ALWAYS));
        for (EventLayout.Field field : of) {
            since = Math.max(since, fields.getOrDefault(new TypedField(eventType, field), ALWAYS));
        }
        return since;
    }

    private void changed() {
        changed = true;
        revision++;
    }

    void collect(StateBatch batch) {
        if (!changed) {
            return;
        }
        changed = false;
        ByteSink sink = new ByteSink();
        sink.writeByte(VERSION);
        sink.writeFixed64(firstEventUs);
        sink.writeFixed64(forgottenUs);
        sink.writeFixed64(newestUs);
        sink.writeVarint(types.size());
        types.forEach((type, since) -> {
            sink.writeText(type);
            sink.writeFixed64(since);
        });
        sink.writeVarint(fields.size());
        fields.forEach((key, since) -> {
            sink.writeText(key.eventType());
            sink.writeText(key.field().name());
            sink.writeText(key.field().type().label());
            sink.writeFixed64(since);
        });
        batch.put(StateKeys.KNOWN_SINCE, sink.toBytes());
    }

    static KnownSince load(StateStore store) {
        KnownSince known = new KnownSince();
        byte[] bytes = store.get(StateKeys.KNOWN_SINCE);
        if (bytes == null) {
            return known;
        }
        ByteSource source = new ByteSource(bytes);
        EntityCodec.requireVersion(source.readByte(), "known-since");
        known.firstEventUs = source.readFixed64();
        known.forgottenUs = source.readFixed64();
        known.newestUs = source.readFixed64();
        for (int left = source.readCount(); left > 0; left--) {
            String type = source.readText();
            known.types.put(type, source.readFixed64());
        }
        for (int left = source.readCount(); left > 0; left--) {
            String type = source.readText();
            EventLayout.Field field = new EventLayout.Field(source.readText(), LayoutRegistry.type(source.readText()));
            known.fields.put(new TypedField(type, field), source.readFixed64());
        }
        return known;
    }

    /** Whether the state says anything, which that of a version before this did not. */
    public boolean isThere() {
        return !types.isEmpty();
    }
}
