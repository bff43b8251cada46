package dev.vigil.scoring.state;

/** Keys of a task's store: a kind, then the account as length and UTF-8, then for a block its id (docs/formats/state.md). */
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

    byte[] block(String entity, long blockId) {
        sink.reset().writeByte('b');
        sink.writeText(entity);
        sink.writeFixed64(blockId);
        return sink.toBytes();
    }
}
