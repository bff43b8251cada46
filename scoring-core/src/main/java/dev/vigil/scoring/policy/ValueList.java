package dev.vigil.scoring.policy;

import java.util.Set;

/** A named list, to rules a bool: whether the field's value is on it. {@code account} is the account's id. */
public record ValueList(String name, String field, Set<String> values) {
    public ValueList {
        values = Set.copyOf(values);
    }
}
