package dev.vigil.scoring.policy;

import dev.vigil.config.ConfigNode;

/**
 * How large a policy may be, docs/policy.md has the table. Large enough for a bank's whole rule book; small enough that it
 * is checked within seconds, that a scored record, which has every feature, fits a message many times over, and that the
 * activation fits one: the text travels through the log as a JSON string, in which a byte of it takes at most three, and a
 * broker takes messages of 1,048,588 bytes unless it is told otherwise.
 */
public final class PolicyLimits {
    public static final int TEXT_BYTES = 300_000;
    public static final int EVENT_TYPES = 100;
    public static final int FIELDS = 64;
    public static final int REFERENCES = 100;
    public static final int FEATURES = 1_000;
    public static final int SUMMARIES = 100;
    public static final int SUMMARY_VALUES = 100;
    public static final int LISTS = 100;
    public static final int RULES = 1_000;
    /** Characters of a name or a rule's id; records repeat them. */
    public static final int NAME_CHARACTERS = 100;

    private PolicyLimits() {}

    static String requireShort(ConfigNode place, String what, String name) {
        if (name.length() > NAME_CHARACTERS) {
            throw place.keyError(
                    "expected " + what + " of at most " + NAME_CHARACTERS + " characters, found " + name.length());
        }
        return name;
    }
}
