package dev.vigil.cdc;

/** Leaves the mapping of a row whose account stands in a row that is not known; {@link RowMapper} makes it wait. */
final class MissingReferenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RowKey missing;

    MissingReferenceException(RowKey missing) {
        super(missing.toString(), null, false, false);
        this.missing = missing;
    }

    RowKey missing() {
        return missing;
    }
}
