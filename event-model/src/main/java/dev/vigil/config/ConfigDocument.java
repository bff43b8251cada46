package dev.vigil.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/** Reads a YAML document whose root is a mapping. */
public final class ConfigDocument {
    private static final int MAX_CHARACTERS = 4_000_000;
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z][A-Z0-9_]*)(?::-([^}]*))?}");

    private ConfigDocument() {}

    /**
     * @param fileName how complaints name the document
     * @throws ConfigException if it is no YAML, or its root is no mapping, or a key stands twice
     */
    public static ConfigNode parse(String fileName, String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CHARACTERS);
        options.setMaxAliasesForCollections(0);
        Node root;
        try {
            root = new Yaml(options).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            throw new ConfigException(fileName + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1) + ": "
                    + oneLine(e.getProblem()));
        } catch (YAMLException e) {
            // A forbidden character, an alias, too deep or too long: no place is known, and the text may have lines.
            throw new ConfigException(fileName + ": " + oneLine(e.getMessage()));
        }
        if (!(root instanceof MappingNode)) {
            throw new ConfigException(fileName + ":1:1: expected a mapping of keys to values");
        }
        return new ConfigNode(fileName, "", root);
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s+", " ");
    }

    /**
     * Reads a file, with {@code ${NAME}} and {@code ${NAME:-fallback}} replaced from the environment first, so that
     * secrets need not stand in it.
     *
     * @throws ConfigException if it cannot be read, a variable is missing, or as {@link #parse}
     */
    public static ConfigNode load(Path file, Map<String, String> environment) {
        return parse(file.toString(), substitute(file, readText(file), environment));
    }

    /** @throws ConfigException if there is no such file, or it cannot be read */
    public static String readText(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": no such file");
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage());
        }
    }

    private static String substitute(Path file, String text, Map<String, String> environment) {
        Matcher matcher = VARIABLE.matcher(text);
        StringBuilder replaced = new StringBuilder();
        while (matcher.find()) {
            String value = environment.getOrDefault(matcher.group(1), matcher.group(2));
            if (value == null) {
                throw new ConfigException(
                        file + ": the environment has no variable " + matcher.group(1) + ", and it has no fallback");
            }
            matcher.appendReplacement(replaced, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(replaced).toString();
    }
}
