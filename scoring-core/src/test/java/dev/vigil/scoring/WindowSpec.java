package dev.vigil.scoring;

import dev.vigil.event.FieldType;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A windowed feature, as a policy says it and as {@link NaiveWindows} reads it. */
record WindowSpec(
        String name,
        String aggregate,
        String eventType,
        @Nullable String field,
        @Nullable FieldType fieldType,
        @Nullable String label,
        int nth,
        Where where,
        long overUs,
        long delayUs,
        boolean prior) {

    /** @param holds whether the condition is certainly true, written without Vigil */
    record Where(String text, Predicate<NaiveEvent> holds) {
        static final Where ALL = new Where("", event -> true);
    }

    String yaml() {
        String of = label != null ? eventType + ".label." + label : field == null ? eventType : eventType + "." + field;
        return "  " + name + ": {" + aggregate + ": " + of + ", over: " + overUs / 1_000 + "ms"
                + (delayUs == 0 ? "" : ", delay: " + delayUs / 1_000 + "ms")
                + (prior ? ", prior: true" : "")
                + (nth == 0 ? "" : ", n: " + nth)
                + (where.text().isEmpty() ? "" : ", where: \"" + where.text() + "\"")
                + "}\n";
    }
}
