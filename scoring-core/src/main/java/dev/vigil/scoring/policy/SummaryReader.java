package dev.vigil.scoring.policy;

import dev.vigil.config.ConfigNode;
import dev.vigil.config.NearestName;
import dev.vigil.config.OneLine;
import dev.vigil.scoring.policy.FeatureDeclaration.Windowed;
import dev.vigil.scoring.policy.TumblingWindow.Unit;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads one entry of {@code summaries}. */
final class SummaryReader {
    private static final List<String> UNITS = List.of("day", "week", "month");
    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(31);

    private final FeatureReader features;

    SummaryReader(FeatureReader features) {
        this.features = features;
    }

    SummaryDeclaration read(String name, ConfigNode node) {
        node.knownKeys("every", "zone", "values");
        TumblingWindow window = window(node);
        ConfigNode section = node.require("values").requireAtMost(PolicyLimits.SUMMARY_VALUES, "values");
        List<Windowed> values = new ArrayList<>();
        for (String value : section.keys()) {
            ConfigNode place = section.require(value);
            PolicyNames.requireNoMeaning(place, PolicyNames.lowerCase(place, value));
            values.add(features.readValue(value, place));
        }
        if (values.isEmpty()) {
            throw section.error("expected at least one value");
        }
        return new SummaryDeclaration(name, window, values, text(window, values));
    }

    private static TumblingWindow window(ConfigNode node) {
        ConfigNode every = node.require("every");
        Unit unit = unit(every);
        if (unit != Unit.FIXED) {
            if (!node.has("zone")) {
                throw node.error("missing 'zone': a " + every.text() + " begins at another time in each, as in"
                        + " 'zone: Europe/Berlin', or UTC");
            }
            return TumblingWindow.calendar(
                    unit, node.require("zone").read("a time zone such as Europe/Berlin or UTC", SummaryReader::zone));
        }
        node.find("zone").ifPresent(zone -> {
            throw zone.error("only 'every: day', 'week' or 'month' take a zone");
        });
        Duration length = every.duration();
        if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
            throw every.error("expected 1m to 31d, found " + OneLine.shortened(every.text()));
        }
        return TumblingWindow.fixed(length);
    }

    private static Unit unit(ConfigNode every) {
        String text = every.text();
        boolean isLength = !text.isEmpty() && Character.isDigit(text.charAt(0));
        return switch (text) {
            case "day" -> Unit.DAY;
            case "week" -> Unit.WEEK;
            case "month" -> Unit.MONTH;
            default -> {
                if (!isLength) {
                    throw every.error("expected day, week, month, or a duration such as 15m or 1h, found '"
                            + OneLine.shortened(text) + "'"
                            + NearestName.of(text.toLowerCase(Locale.ROOT), UNITS)
                                    .map(nearest -> ", did you mean '" + nearest + "'?")
                                    .orElse(""));
                }
                yield Unit.FIXED;
            }
        };
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static String text(TumblingWindow window, List<Windowed> values) {
        StringBuilder text = new StringBuilder(window.toString());
        for (Windowed value : values) {
            ConfigNode where = value.where();
            text.append('\n')
                    .append(value.name())
                    .append(' ')
                    .append(value.aggregate())
                    .append(' ')
                    .append(value.eventType())
                    .append(' ')
                    .append(value.field())
                    .append(' ')
                    .append(value.label())
                    .append(' ')
                    .append(value.nth())
                    .append(' ')
                    .append(where == null ? "" : where.text());
        }
        return text.toString();
    }
}
