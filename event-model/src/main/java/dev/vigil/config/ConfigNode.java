package dev.vigil.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A place in a YAML document. Every accessor that finds something else than it was asked for throws
 * {@link ConfigException} with file, line, column and the field's full name.
 *
 * <p>Read a mapping by first saying which keys it may have: {@code node.knownKeys("over", "where")}. Not thread-safe.
 */
public final class ConfigNode {
    private static final Pattern INTEGER = Pattern.compile("-?(?:0|[1-9][0-9]*)");
    private static final Pattern LEADING_ZEROS = Pattern.compile("[-+]?0[0-9]+");

    private final String file;
    private final String path;
    private final Node node;
    private final Node key;
    private final Map<String, ConfigNode> children = new LinkedHashMap<>();

    ConfigNode(String file, String path, Node node) {
        this(file, path, node, node);
    }

    private ConfigNode(String file, String path, Node node, Node key) {
        this.file = file;
        this.path = path;
        this.node = node;
        this.key = key;
        if (node instanceof MappingNode mapping) {
            readChildren(mapping);
        }
    }

    private void readChildren(MappingNode mapping) {
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new ConfigException(at(tuple.getKeyNode()) + ": expected a plain key");
            }
            String name = key.getValue();
            String shown = OneLine.shortened(name);
            ConfigNode child =
                    new ConfigNode(file, path.isEmpty() ? shown : path + "." + shown, tuple.getValueNode(), key);
            if (children.put(name, child) != null) {
                throw new ConfigException(at(key) + ": " + child.path + ": the key stands here twice");
            }
        }
    }

    /** Full name from the document's root, as in {@code features.tx_count.over}, for people; empty at the root. */
    public String path() {
        return path;
    }

    /** Refuses every key of this mapping that is not among the names, with the nearest of them. */
    public ConfigNode knownKeys(String... names) {
        Set<String> known = Set.of(names);
        keys();
        children.forEach((key, child) -> {
            if (!known.contains(key)) {
                throw child.keyError(unknownName("unknown key", key, List.of(names)));
            }
        });
        return this;
    }

    /** Complaint about a name that is not among the known ones, with the nearest of them. */
    public ConfigException unknown(String what, String name, Collection<String> known) {
        return error(unknownName(what, name, known));
    }

    private static String unknownName(String what, String name, Collection<String> known) {
        String hint = NearestName.of(name, known)
                .map(nearest -> "did you mean '" + nearest + "'?")
                .orElseGet(
                        () -> known.isEmpty() ? "none is known here" : "expected one of " + String.join(", ", known));
        return what + " '" + OneLine.shortened(name) + "', " + hint;
    }

    /** Keys of this mapping in document order. */
    public List<String> keys() {
        if (!(node instanceof MappingNode)) {
            throw expected("a mapping");
        }
        return List.copyOf(children.keySet());
    }

    public boolean has(String key) {
        keys();
        return children.containsKey(key);
    }

    public Optional<ConfigNode> find(String key) {
        keys();
        ConfigNode child = children.get(key);
        return child == null || child.isNull() ? Optional.empty() : Optional.of(child);
    }

    public ConfigNode require(String key) {
        return find(key).orElseThrow(() -> {
            ConfigNode empty = children.get(key);
            return empty == null ? error("missing '" + key + "'") : empty.expected("a value");
        });
    }

    public <T> T get(String key, T whenAbsent, Function<ConfigNode, T> reader) {
        return find(key).map(reader).orElse(whenAbsent);
    }

    public List<ConfigNode> items() {
        if (!(node instanceof SequenceNode sequence)) {
            throw expected("a list");
        }
        List<ConfigNode> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            items.add(new ConfigNode(file, path + "[" + items.size() + "]", item));
        }
        return items;
    }

    /**
     * Refuses a mapping or list of more entries than that, at the first that is too many.
     *
     * @param what they are, in the plural
     */
    public ConfigNode requireAtMost(int limit, String what) {
        List<Node> places = new ArrayList<>();
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(entry -> places.add(entry.getKeyNode()));
        } else if (node instanceof SequenceNode sequence) {
            places.addAll(sequence.getValue());
        }
        if (places.size() > limit) {
            throw new ConfigException(at(places.get(limit)) + ": " + path + ": expected at most " + limit + " " + what
                    + ", found " + places.size());
        }
        return this;
    }

    public boolean isMapping() {
        return node instanceof MappingNode;
    }

    public boolean isList() {
        return node instanceof SequenceNode;
    }

    private boolean isNull() {
        return node.getTag().equals(Tag.NULL);
    }

    /** The scalar's text as it stands, whatever YAML would make of it. */
    public String text() {
        if (!(node instanceof ScalarNode scalar) || isNull()) {
            throw expected("a text");
        }
        return scalar.getValue();
    }

    public int integer() {
        return read("an integer", text -> Integer.parseInt(integerText(text)));
    }

    public long longInteger() {
        return read("an integer", text -> Long.parseLong(integerText(text)));
    }

    /** As YAML 1.1 reads it, 010 is eight, and as 1.2 does, ten: what was meant is not known. */
    private String integerText(String text) {
        if (LEADING_ZEROS.matcher(text).matches()) {
            throw expected("an integer without leading zeros");
        }
        if (!INTEGER.matcher(text).matches()) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    public double number() {
        return read("a number", text -> {
            double value = Double.parseDouble(text);
            if (!Double.isFinite(value)) {
                throw new NumberFormatException(text);
            }
            return value;
        });
    }

    public boolean bool() {
        return switch (text()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw expected("true or false");
        };
    }

    public Duration duration() {
        try {
            return Durations.parse(text());
        } catch (IllegalArgumentException e) {
            throw error(e.getMessage());
        }
    }

    /** An integer from {@code min} to {@code max}, both allowed. */
    public int integerBetween(int min, int max) {
        int value = integer();
        if (value < min || value > max) {
            throw expected("an integer from " + min + " to " + max);
        }
        return value;
    }

    /** The scalar through a parser; what the parser throws as IllegalArgumentException becomes a complaint here. */
    public <T> T read(String expectation, Function<String, T> parser) {
        String text = text();
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw expected(expectation);
        }
    }

    /** File, line and column, as complaints begin. */
    public String place() {
        return at(node);
    }

    public ConfigException expected(String expectation) {
        return error("expected " + expectation + ", found " + found());
    }

    public ConfigException error(@Nullable String problem) {
        return new ConfigException(at(node) + ": " + (path.isEmpty() ? "" : path + ": ") + problem);
    }

    /** As {@link #error}, at the place of the key rather than of its value. */
    public ConfigException keyError(String problem) {
        return new ConfigException(at(key) + ": " + path + ": " + problem);
    }

    private String found() {
        if (node instanceof MappingNode) {
            return "a mapping";
        }
        if (node instanceof SequenceNode) {
            return "a list";
        }
        return isNull() ? "nothing" : "'" + OneLine.shortened(((ScalarNode) node).getValue()) + "'";
    }

    private String at(Node place) {
        Mark mark = place.getStartMark();
        return file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
    }
}
