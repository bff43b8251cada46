package dev.vigil.cdc;

import java.util.Optional;

/** The rows that capture remembers, as of the change that is being mapped. */
@FunctionalInterface
public interface References {

    /** None at all. */
    References NONE = key -> Optional.empty();

    Optional<RememberedRow> find(RowKey key);
}
