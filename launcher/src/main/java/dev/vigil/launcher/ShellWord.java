package dev.vigil.launcher;

/** Words of commands that people are told to paste into a shell. */
final class ShellWord {
    private ShellWord() {}

    /** The text as one word, in quotes where it needs them. */
    static String of(String text) {
        return text.matches("[A-Za-z0-9_@%+=:,./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
