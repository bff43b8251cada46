package dev.vigil.scoring.policy;

import dev.vigil.config.ConfigException;
import dev.vigil.config.ConfigNode;
import dev.vigil.config.OneLine;
import dev.vigil.event.FieldType;
import dev.vigil.scoring.state.EventLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one entry of {@code features}. */
final class FeatureReader {
    static final Duration LONGEST = Duration.ofDays(180);
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LOOK_BACK = Duration.ofDays(30);

    private final Map<String, EventDeclaration> events;

    FeatureReader(Map<String, EventDeclaration> events) {
        this.events = events;
    }

    FeatureDeclaration read(String name, ConfigNode node) {
        List<String> keys = new ArrayList<>(List.of("over", "where", "per", "delay", "prior", "n", "expr"));
        for (Aggregate aggregate : Aggregate.values()) {
            keys.add(aggregate.key());
        }
        node.knownKeys(keys.toArray(new String[0]));
        if (node.has("expr")) {
            node.knownKeys("expr");
            return new FeatureDeclaration.Computed(name, node, node.require("expr"));
        }
        return windowed(name, node, aggregate(node));
    }

    /** A value of a summary: an aggregate whose window is the summary's. */
    FeatureDeclaration.Windowed readValue(String name, ConfigNode node) {
        List<String> keys = new ArrayList<>(List.of("where", "n"));
        for (Aggregate aggregate : Aggregate.values()) {
            if (!aggregate.looksBack()) {
                keys.add(aggregate.key());
            }
        }
        node.knownKeys(keys.toArray(new String[0]));
        return windowed(name, node, aggregate(node), 0, 0, false);
    }

    private static Aggregate aggregate(ConfigNode node) {
        Aggregate found = null;
        for (Aggregate aggregate : Aggregate.values()) {
            if (node.has(aggregate.key())) {
                if (found != null) {
                    throw node.error(
                            "expected one aggregate, found '" + found.key() + "' and '" + aggregate.key() + "'");
                }
                found = aggregate;
            }
        }
        if (found == null) {
            throw node.error("expected an aggregate such as count, sum or avg, or 'expr'");
        }
        return found;
    }

    private FeatureDeclaration windowed(String name, ConfigNode node, Aggregate aggregate) {
        node.find("per").ifPresent(per -> {
            if (!per.text().equals("account")) {
                throw per.error("features per '" + OneLine.shortened(per.text())
                        + "' are not supported by this version, which keeps state per account; leave 'per' out");
            }
        });
        boolean looksBack = aggregate.looksBack();
        return windowed(
                name,
                node,
                aggregate,
                over(node, looksBack),
                node.get("delay", 0L, n -> windowUs(n, Duration.ZERO)),
                looksBack || node.get("prior", false, ConfigNode::bool));
    }

    private FeatureDeclaration.Windowed windowed(
            String name, ConfigNode node, Aggregate aggregate, long overUs, long delayUs, boolean prior) {
        ConfigNode of = node.require(aggregate.key());
        String[] path = of.text().split("\\.", -1);
        EventDeclaration event = events.get(path[0]);
        if (event == null) {
            throw of.unknown("unknown event type", path[0], events.keySet());
        }
        String label = null;
        EventLayout.Field field = null;
        if (aggregate == Aggregate.RATE && path.length == 3 && path[1].equals("label")) {
            label = path[2];
        } else {
            field = field(aggregate, event, path, of);
        }
        if (aggregate == Aggregate.SINCE_NEWEST) {
            node.find("delay").ifPresent(delay -> {
                throw delay.error("since_newest looks at all that is known and takes no 'delay'");
            });
        }
        return new FeatureDeclaration.Windowed(
                name,
                node,
                aggregate,
                event.type(),
                field,
                label,
                overUs,
                delayUs,
                prior,
                nth(node, aggregate),
                node.find("where").orElse(null));
    }

    private static int nth(ConfigNode node, Aggregate aggregate) {
        if (aggregate != Aggregate.NTH_LAST) {
            node.find("n").ifPresent(n -> {
                throw n.error("only nth_last takes 'n'");
            });
            return 0;
        }
        return node.require("n").integerBetween(1, 1_000);
    }

    private static long over(ConfigNode node, boolean looksBack) {
        if (looksBack) {
            return node.get("over", LOOK_BACK.toMillis() * 1_000, n -> windowUs(n, SHORTEST));
        }
        return windowUs(node.require("over"), SHORTEST);
    }

    private static long windowUs(ConfigNode node, Duration shortest) {
        Duration duration = node.duration();
        if (duration.compareTo(shortest) < 0 || duration.compareTo(LONGEST) > 0) {
            throw node.error("expected " + shortest.toSeconds() + "s to " + LONGEST.toDays() + "d, found "
                    + OneLine.shortened(node.text()));
        }
        return duration.toMillis() * 1_000;
    }

    private static EventLayout.@Nullable Field field(
            Aggregate aggregate, EventDeclaration event, String[] path, ConfigNode of) {
        switch (aggregate) {
            case COUNT, ELAPSED_SINCE, SINCE_NEWEST -> {
                if (path.length != 1) {
                    throw of.error("expected an event type alone, as in '" + event.type() + "'");
                }
                return null;
            }
            case GEO_SPEED -> {
                if (path.length != 1) {
                    throw of.error("expected an event type alone, as in '" + event.type() + "'");
                }
                for (String coordinate : List.of("lat", "lon")) {
                    if (event.fields().get(coordinate) != FieldType.DOUBLE) {
                        throw of.error("geo_speed needs a field '" + coordinate + ": double' in " + event.type());
                    }
                }
                return null;
            }
            default -> {
                if (path.length != 2) {
                    throw of.error("expected a field, as in '" + event.type() + ".amount'");
                }
                FieldType type = event.fields().get(path[1]);
                if (type == null) {
                    throw of.unknown(
                            "unknown field of " + event.type(),
                            path[1],
                            event.fields().keySet());
                }
                checkType(aggregate, type, of);
                return new EventLayout.Field(path[1], type);
            }
        }
    }

    private static void checkType(Aggregate aggregate, FieldType type, ConfigNode of) {
        boolean fits = switch (aggregate) {
            case SUM, AVG, STDDEV -> type == FieldType.MONEY || type == FieldType.LONG;
            case MIN, MAX -> type != FieldType.STRING && type != FieldType.BOOL;
            case RATE -> type == FieldType.BOOL;
            default -> true;
        };
        if (!fits) {
            throw complaint(aggregate, type, of);
        }
    }

    private static ConfigException complaint(Aggregate aggregate, FieldType type, ConfigNode of) {
        String wanted = switch (aggregate) {
            case SUM, AVG, STDDEV -> "money or long, whose sums are exact";
            case RATE -> "bool, or a label as in 'transaction.label.fraud'";
            default -> "a type with an order: money, long, double or timestamp";
        };
        return of.error("expected a field of type " + wanted + ", found " + type.label());
    }
}
