package dev.vigil.cdc;

import java.util.List;
import java.util.Optional;

/** The rows that capture remembers, as of the change that is being mapped. */
@FunctionalInterface
public interface References {

    /** None at all. */
    References NONE = key -> Optional.empty();

    Optional<RememberedRow> find(RowKey key);

    /** The first that is remembered of the keys that one row may have. */
    default Optional<RememberedRow> findAny(List<RowKey> keys) {
        return keys.stream().map(this::find).flatMap(Optional::stream).findFirst();
    }
}
