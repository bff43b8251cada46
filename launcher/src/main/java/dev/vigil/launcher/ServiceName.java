package dev.vigil.launcher;

import dev.vigil.config.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The services, in the order in which a process starts them: whoever consumes before whoever produces. */
enum ServiceName {
    LAKEHOUSE_SINK,
    ALERTING,
    SCORING_ENGINE,
    DASHBOARD_API,
    CDC_INGEST;

    /** As in {@code --only}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(ServiceName::label).toList();
    }

    /** @throws IllegalArgumentException with the nearest name */
    static ServiceName parse(String label) {
        for (ServiceName name : values()) {
            if (name.label().equals(label)) {
                return name;
            }
        }
        throw new IllegalArgumentException("unknown service '" + label + "', "
                + NearestName.of(label, labels())
                        .map(nearest -> "did you mean '" + nearest + "'?")
                        .orElse("expected one of " + String.join(", ", labels())));
    }
}
