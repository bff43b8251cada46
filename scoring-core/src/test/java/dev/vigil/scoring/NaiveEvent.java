package dev.vigil.scoring;

import dev.vigil.event.FieldType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An event as {@link NaiveWindows} knows it; values by name and type: Long, Double, Boolean, String, money in cents. */
record NaiveEvent(long position, String type, String id, long timeUs, Map<String, Object> values, Set<String> labels) {
    NaiveEvent(long position, String type, String id, long timeUs) {
        this(position, type, id, timeUs, new HashMap<>(), new TreeSet<>());
    }

    static String key(String field, FieldType type) {
        return field + ":" + type.label();
    }

    @Nullable
    Object value(String field, FieldType type) {
        return values.get(key(field, type));
    }
}
