package dev.vigil.config;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads a YAML document whose root is a mapping. */
public final class ConfigDocument {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z][A-Z0-9_]*)(?::-([^}]*))?}");

    private ConfigDocument() {}

    /**
     * @param fileName how complaints name the document
     * @throws ConfigException if it is no YAML, or its root is no mapping, or a key stands twice
     */
    public static ConfigNode parse(String fileName, String text) {
        return new ConfigNode(fileName, "", compose(fileName, text));
    }

    /**
     * As the other, for a document that has a limit of its own.
     *
     * @param maxBytes of UTF-8
     */
    public static ConfigNode parse(String fileName, String text, int maxBytes) {
        DocumentText.requireAtMost(fileName, text, maxBytes);
        return parse(fileName, text);
    }

    private static MappingNode compose(String fileName, String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(DocumentText.MAX_CHARACTERS);
        options.setMaxAliasesForCollections(0);
        Node root;
        try {
            DocumentText.check(fileName, text);
            root = new Yaml(options).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            throw YamlComplaint.of(fileName, e);
        } catch (YAMLException e) {
            throw new ConfigException(
                    fileName + ":1:1: " + String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " "));
        }
        if (!(root instanceof MappingNode mapping)) {
            throw new ConfigException(fileName + ":1:1: expected a mapping of keys to values");
        }
        return mapping;
    }

    /**
     * Reads a file, with {@code ${NAME}} and {@code ${NAME:-fallback}} in its values taken from the environment, so that
     * secrets need not stand in it. A value from there is a text whatever characters it has: it adds no keys, and quotes
     * or colons in a password do no harm. Comments are left alone.
     *
     * @throws ConfigException if it cannot be read, a variable is missing, or as {@link #parse}
     */
    public static ConfigNode load(Path file, Map<String, String> environment) {
        String fileName = file.toString();
        MappingNode root = compose(fileName, readText(file));
        return new ConfigNode(fileName, "", substitute(fileName, root, environment));
    }

    /** @throws ConfigException if there is no such file, it cannot be read, or it is no UTF-8, then with line and column */
    public static String readText(Path file) {
        return DocumentText.read(file);
    }

    private static Node substitute(String fileName, Node node, Map<String, String> environment) {
        if (node instanceof MappingNode mapping) {
            mapping.setValue(mapping.getValue().stream()
                    .map(entry ->
                            new NodeTuple(entry.getKeyNode(), substitute(fileName, entry.getValueNode(), environment)))
                    .toList());
        } else if (node instanceof SequenceNode sequence) {
            sequence.getValue().replaceAll(item -> substitute(fileName, item, environment));
        } else if (node instanceof ScalarNode scalar
                && VARIABLE.matcher(scalar.getValue()).find()) {
            return new ScalarNode(
                    scalar.getTag(),
                    substitute(fileName, scalar, environment),
                    scalar.getStartMark(),
                    scalar.getEndMark(),
                    scalar.getScalarStyle());
        }
        return node;
    }

    private static String substitute(String fileName, ScalarNode scalar, Map<String, String> environment) {
        return VARIABLE.matcher(scalar.getValue()).replaceAll(match -> {
            String value = environment.getOrDefault(match.group(1), match.group(2));
            if (value == null) {
                throw new ConfigException(DocumentText.place(fileName, scalar.getStartMark())
                        + "the environment has no variable " + match.group(1) + ", and it has no fallback");
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
