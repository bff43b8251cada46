package dev.vigil.scoring.state;

/** Keys of a task's store: a kind, then what it is about (docs/formats/state.md). */
final class StateKeys {
    static final byte[] TASK = {'t'};
    static final byte[] POLICY = {'p'};
    static final byte[] KNOWN_SINCE = {'k'};
    static final byte[] PAST_POLICIES = {'a'};

    private final ByteSink sink = new ByteSink();

    byte[] head(String entity) {
        sink.reset().writeByte('h');
        sink.writeText(entity);
        return sink.toBytes();
    }

    /** Ordered by time; of one time by name and account. */
    byte[] timer(char kind, long timeUs, String name, String entity) {
        sink.reset().writeByte(kind);
        sink.writeFixed64(timeUs ^ Long.MIN_VALUE); // so that times before 1970 come first
        sink.writeText(name);
        sink.writeText(entity);
        return sink.toBytes();
    }

    byte[] block(String entity, long blockId) {
        sink.reset().writeByte('b');
        sink.writeText(entity);
        sink.writeFixed64(blockId);
        return sink.toBytes();
    }
}
