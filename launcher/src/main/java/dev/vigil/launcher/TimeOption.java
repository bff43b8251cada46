package dev.vigil.launcher;

import dev.vigil.event.EventTimes;
import java.time.DateTimeException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Times as options give them: RFC 3339 with an offset. */
final class TimeOption {
    private TimeOption() {}

    /** µs since the epoch. @throws ParameterException if the text is no time */
    static long us(CommandSpec spec, String option, String text) {
        try {
            return EventTimes.parse(text);
        } catch (DateTimeException e) {
            throw new ParameterException(
                    spec.commandLine(), option + ": expected a time such as 2026-11-30T12:00:00Z, found " + text);
        }
    }

    /** Milliseconds since the epoch. @throws ParameterException if the text is no time */
    static long ms(CommandSpec spec, String option, @Nullable String text, long whenAbsent) {
        return text == null ? whenAbsent : Math.floorDiv(us(spec, option, text), 1_000L);
    }
}
