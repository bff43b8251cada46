package dev.vigil.scoring.policy;

import dev.vigil.event.FieldType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A reference row kept per account, such as its profile; expressions read it as {@code name.field}. */
public record ReferenceDeclaration(String name, Map<String, FieldType> fields) {
    public ReferenceDeclaration {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }
}
