package dev.vigil.scoring.state;

import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Heads and blocks as bytes (docs/formats/state.md). One thread. */
final class EntityCodec {
    static final int VERSION = 1;
    /** Where a block has its count, one byte. */
    private static final int COUNT_AT = 1;

    private static final int LABELS = 1;
    private static final int SAME_SOURCE = 2;
    /** Of no event: sources are not empty. */
    private static final String NO_SOURCE = "";

    private final LayoutRegistry layouts;
    private final KnownTexts texts = new KnownTexts();
    private final ByteSink sink = new ByteSink();

    EntityCodec(LayoutRegistry layouts) {
        this.layouts = layouts;
    }

    byte[] encodeHead(EntityState state) {
        Timeline timeline = state.timeline();
        sink.reset().writeByte(VERSION);
        sink.writeVarint(timeline.nextBlockId());
        timeline.runs().write(sink);
        sink.writeVarint(state.references().size());
        for (Map.Entry<String, StoredEvent> reference : state.references().entrySet()) {
            sink.writeText(reference.getKey());
            writeReference(reference.getValue());
        }
        return sink.toBytes();
    }

    /** Reads a head and the blocks that it names. */
    EntityState decode(String entity, byte[] head, BlockLoader loader) {
        ByteSource source = new ByteSource(head);
        requireVersion(source.readByte(), "entity head");
        Timeline timeline = new Timeline(source.readVarint());
        int runs = source.readCount();
        long id = 0;
        for (int i = 0; i < runs; i++) {
            id += source.readSigned();
            for (long end = id + source.readVarint(); id < end; id++) {
                timeline.restore(decodeBlock(id, loader.load(id)));
            }
        }
        EntityState state = new EntityState(entity, timeline);
        int references = source.readCount();
        for (int i = 0; i < references; i++) {
            state.setReference(source.readText(), readEvent(source, 0, 0, NO_SOURCE));
        }
        requireEnd(source, "entity head");
        state.drainHeadChanged();
        return state;
    }

    /** Time of the latest event of the blocks that a head names, µs; reads the last one alone. */
    OptionalLong latestUs(byte[] head, BlockLoader loader) {
        ByteSource source = new ByteSource(head);
        requireVersion(source.readByte(), "entity head");
        source.readVarint();
        int runs = source.readCount();
        if (runs == 0) {
            return OptionalLong.empty();
        }
        long id = 0;
        for (int i = 0; i < runs; i++) {
            id += source.readSigned();
            id += source.readVarint();
        }
        return OptionalLong.of(decodeBlock(id - 1, loader.load(id - 1)).lastTimeUs());
    }

    interface BlockLoader {
        byte @Nullable [] load(long blockId);
    }

    /**
     * The block's bytes. Those of events that were there the last time are taken over: the events themselves are seldom in
     * the processor's cache any more.
     */
    byte[] encodeBlock(Block block) {
        if (block.encoded == null) {
            sink.reset().writeByte(VERSION);
            sink.writeByte(block.count);
            sink.writeSigned(block.timeUs(0));
            sink.writeVarint(block.offset(0));
        } else {
            sink.resume(block.encoded).setByte(COUNT_AT, block.count);
        }
        for (int i = block.encodedCount; i < block.count; i++) {
            writeEvent(block, i);
        }
        byte[] bytes = sink.toBytes();
        block.encoded = block.isFull() ? null : bytes;
        block.encodedCount = block.isFull() ? 0 : block.count;
        return bytes;
    }

    private Block decodeBlock(long id, byte @Nullable [] bytes) {
        if (bytes == null) {
            throw new StateFormatException("block " + id + " is missing");
        }
        ByteSource source = new ByteSource(bytes);
        requireVersion(source.readByte(), "event block");
        Block block = new Block(id);
        int count = source.readByte();
        if (count < 1 || count > Block.CAPACITY) {
            throw new StateFormatException("a block of " + count + " events");
        }
        long timeUs = source.readSigned();
        long offset = source.readVarint();
        String previousSource = NO_SOURCE;
        for (int i = 0; i < count; i++) {
            StoredEvent event = readEvent(source, timeUs, offset, previousSource);
            block.insert(i, event);
            previousSource = event.source();
        }
        requireEnd(source, "event block");
        return block;
    }

    private void writeReference(StoredEvent row) {
        writeStart(row.layout(), 0, row.timeUs(), row.offset());
        sink.writeText(row.source());
        sink.writeText(row.id());
        row.writeFields(sink);
    }

    private void writeEvent(Block block, int index) {
        String[] labels = block.labels(index);
        boolean isOfSameSource = index > 0 && block.source(index).equals(block.source(index - 1));
        writeStart(
                block.layout(index),
                (isOfSameSource ? SAME_SOURCE : 0) | (labels.length > 0 ? LABELS : 0),
                block.timeUs(index) - block.timeUs(0),
                block.offset(index) - block.offset(0));
        if (!isOfSameSource) {
            sink.writeText(block.source(index));
        }
        block.writeId(index, sink);
        if (labels.length > 0) {
            sink.writeVarint(labels.length);
            Arrays.stream(labels).forEach(sink::writeText);
        }
        block.writeFields(index, sink);
    }

    private void writeStart(EventLayout layout, int flags, long timeUs, long offset) {
        sink.writeVarint(layouts.number(layout) << 2 | flags);
        sink.writeSigned(timeUs);
        sink.writeSigned(offset);
    }

    private StoredEvent readEvent(ByteSource source, long baseTimeUs, long baseOffset, String previousSource) {
        int tag = source.readInt();
        EventLayout layout = layouts.byNumber(tag >>> 2);
        long timeUs = baseTimeUs + source.readSigned();
        long offset = baseOffset + source.readSigned();
        String eventSource = (tag & SAME_SOURCE) != 0 ? previousSource : source.readText(texts);
        StoredEvent event = new StoredEvent(layout, eventSource, source.readText(), timeUs, offset);
        if ((tag & LABELS) != 0) {
            int labels = source.readCount();
            for (int i = 0; i < labels; i++) {
                event.label(source.readText(), true);
            }
        }
        long present = source.readVarint();
        for (int field = 0; field < layout.fieldCount(); field++) {
            if ((present & 1L << field) != 0) {
                int slot = layout.slot(field);
                switch (layout.type(field)) {
                    case STRING -> event.setText(slot, source.readText(texts));
                    case DOUBLE -> event.setNumber(slot, source.readFixed64());
                    case LONG, MONEY, TIMESTAMP, BOOL -> event.setNumber(slot, source.readSigned());
                }
            }
        }
        return layouts.inCurrent(event);
    }

    private static void requireEnd(ByteSource source, String what) {
        if (!source.isAtEnd()) {
            throw new StateFormatException(what + ": goes on after its end");
        }
    }

    static void requireVersion(int version, String what) {
        requireVersion(version, VERSION, what);
    }

    static void requireVersion(int version, int expected, String what) {
        if (version != expected) {
            throw new StateFormatException(what + " of format " + version + "; this version reads format " + expected
                    + ": start the Vigil version that wrote it, or replay the log into an empty state directory");
        }
    }
}
