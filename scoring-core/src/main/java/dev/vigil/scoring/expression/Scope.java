package dev.vigil.scoring.expression;

import dev.vigil.event.FieldType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The variables that an expression may read, each with its slot in a {@link Frame}. Grows while a policy is compiled. */
public final class Scope {
    /** @param slot index into the frame, 0 for the first */
    public record Variable(String name, FieldType type, int slot) {}

    private final Map<String, Variable> variables = new LinkedHashMap<>();

    /** @throws IllegalArgumentException if the name is taken */
    public Variable declare(String name, FieldType type) {
        Variable variable = new Variable(name, type, variables.size());
        if (variables.putIfAbsent(name, variable) != null) {
            throw new IllegalArgumentException("the name '" + name + "' is taken");
        }
        return variable;
    }

    public Optional<Variable> find(String name) {
        return Optional.ofNullable(variables.get(name));
    }

    public Set<String> names() {
        return variables.keySet();
    }

    public int size() {
        return variables.size();
    }
}
