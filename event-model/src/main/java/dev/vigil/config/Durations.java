package dev.vigil.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 250ms}, {@code 30s}, {@code 15m}, {@code 24h}, {@code 30d}. A day is 24 h. The
 * longest is 36500d, so that microseconds fit 64 bits everywhere.
 */
public final class Durations {
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");

    private Durations() {}

    /** @throws IllegalArgumentException for anything else, with what was expected and found */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "expected a duration such as 30s, 15m, 24h or 7d, found " + OneLine.shortened(text));
        }
        long amount = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
        if (duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("expected a duration of at most 36500d, found " + text);
        }
        return duration;
    }
}
