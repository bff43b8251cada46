package dev.vigil.scoring.policy;

import dev.vigil.config.ConfigException;
import dev.vigil.config.ConfigNode;
import dev.vigil.config.OneLine;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What names in a policy may look like, and which of those that expressions read are taken. */
final class PolicyNames {
    private static final String POLICY = "[A-Za-z][A-Za-z0-9_-]{0,63}";
    private static final String EVENT_TYPE = "[A-Za-z][A-Za-z0-9_-]*";
    private static final String RULE_ID = "[A-Za-z0-9][A-Za-z0-9_-]*";
    private static final String NAME = "[A-Za-z][A-Za-z0-9_]*";
    private static final String LOWER_CASE_NAME = "[a-z][a-z0-9_]*";

    /** Variables and values that every expression knows. */
    private static final Set<String> MEANT = Set.of("account", "event_time", "event_type", "true", "false", "null");

    /** Words that CEL's grammar takes for no name, in lower case alone. */
    private static final Set<String> OF_EXPRESSIONS = Set.of(
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");

    private final Map<String, String> namesByLowerCase = new HashMap<>();

    static String policy(ConfigNode place) {
        if (!place.text().matches(POLICY)) {
            throw place.expected("a name of at most 64 letters, digits, - and _ that begins with a letter");
        }
        return place.text();
    }

    static String eventType(ConfigNode place, String type) {
        if (!type.matches(EVENT_TYPE)) {
            throw notOfForm(place, "an event type of letters, digits, - and _ that begins with a letter", type);
        }
        return PolicyLimits.requireShort(place, "an event type", type);
    }

    static String ruleId(ConfigNode place) {
        String id = place.text();
        if (!id.matches(RULE_ID)) {
            throw place.expected("an id of letters, digits, - and _ that begins with a letter or digit");
        }
        return PolicyLimits.requireShort(place, "an id", id);
    }

    /** Of a reference, a summary or a value of one, a list. */
    static String lowerCase(ConfigNode place, String name) {
        if (!name.matches(LOWER_CASE_NAME)) {
            throw notOfForm(place, "a name of lower-case letters, digits and _ that begins with a letter", name);
        }
        return PolicyLimits.requireShort(place, "a name", name);
    }

    /** Of a field: other people's data, and published feature sets, have upper-case names. */
    static String field(ConfigNode place, String name) {
        if (!name.matches(NAME)) {
            throw notOfForm(place, "a name of letters, digits and _ that begins with a letter", name);
        }
        requireNoMeaning(place, name);
        return PolicyLimits.requireShort(place, "a name", name);
    }

    static void requireNoMeaning(ConfigNode place, String name) {
        if (MEANT.contains(name.toLowerCase(Locale.ROOT))) {
            throw place.keyError("the name '" + name + "' has a meaning of its own");
        }
    }

    /** Of what is there to be read by expressions. */
    static void requireReadable(ConfigNode place, String name) {
        if (OF_EXPRESSIONS.contains(name)) {
            throw place.keyError("the name '" + name + "' is a word of the expression language");
        }
    }

    /** No two may differ in upper and lower case alone: a table's columns could not be told apart. */
    void take(ConfigNode place, String name) {
        String twin = namesByLowerCase.putIfAbsent(name.toLowerCase(Locale.ROOT), name);
        if (twin != null && !twin.equals(name)) {
            throw place.keyError("the name differs from '" + twin + "' in upper and lower case alone");
        }
    }

    private static ConfigException notOfForm(ConfigNode place, String form, String name) {
        return place.keyError("expected " + form + ", found '" + OneLine.shortened(name) + "'");
    }
}
