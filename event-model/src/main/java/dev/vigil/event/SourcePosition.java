package dev.vigil.event;

/**
 * Where a record of the log stands: the topic's id (a topic that was deleted and created again has another one), the
 * partition and the record's own offset. Ordered by offset within one (topic id, partition); positions of different
 * partitions have no order.
 */
public record SourcePosition(String topicId, int partition, long offset) {
    public SourcePosition {
        if (topicId.isEmpty()) {
            throw new IllegalArgumentException("a position needs a topic id");
        }
        if (partition < 0 || offset < 0) {
            throw new IllegalArgumentException("not a position: partition " + partition + ", offset " + offset);
        }
    }

    /** {@code topicId:partition:offset}, as headers and derived ids carry it. */
    @Override
    public String toString() {
        return topicId + ':' + partition + ':' + offset;
    }

    /** @throws IllegalArgumentException if the text is not of the form that {@link #toString} gives */
    public static SourcePosition parse(String text) {
        int second = text.lastIndexOf(':');
        int first = text.lastIndexOf(':', second - 1);
        if (first <= 0) {
            throw new IllegalArgumentException("expected topicId:partition:offset, found " + text);
        }
        return new SourcePosition(
                text.substring(0, first),
                Integer.parseInt(text.substring(first + 1, second)),
                Long.parseLong(text.substring(second + 1)));
    }
}
