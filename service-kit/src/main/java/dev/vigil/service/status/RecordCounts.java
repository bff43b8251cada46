package dev.vigil.service.status;

/**
 * What became of the records of the log (the design's law 5): each that was read ended as exactly one of the others.
 */
public record RecordCounts(
        long read,
        long scored,
        long control,
        long reference,
        long label,
        long duplicate,
        long late,
        long deadLettered) {
    public static final RecordCounts ZERO = new RecordCounts(0, 0, 0, 0, 0, 0, 0, 0);

    public RecordCounts plus(RecordCounts other) {
        return new RecordCounts(
                read + other.read,
                scored + other.scored,
                control + other.control,
                reference + other.reference,
                label + other.label,
                duplicate + other.duplicate,
                late + other.late,
                deadLettered + other.deadLettered);
    }

    /** Whether the ends add up to the records read. */
    public boolean addUp() {
        return read == scored + control + reference + label + duplicate + late + deadLettered;
    }
}
