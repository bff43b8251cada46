package dev.vigil.launcher;

/** Descriptions that several commands share. */
final class ConfigText {
    static final String CONFIG =
            "Configuration (default: ${DEFAULT-VALUE}); a demo keeps its own in its data directory.";

    private ConfigText() {}
}
