package dev.vigil.config;

/**
 * Texts from outside as a complaint repeats them: on its line, whatever they hold. Control and formatting characters,
 * which could end the line, move the cursor or colour what follows, are written as YAML escapes them ({@code \n},
 * {@code \x1b} as {@code \u001b}).
 */
public final class OneLine {
    /** Longer ones add nothing to a complaint: whoever reads it has the place. */
    private static final int MAX_REPEATED = 80;

    private OneLine() {}

    /** The whole text. */
    public static String of(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> append(c, line));
        return line.toString();
    }

    /** The text, or of a long one the first 80 characters and an ellipsis. */
    public static String shortened(String text) {
        return shortened(text, MAX_REPEATED);
    }

    static String shortened(String text, int maxCharacters) {
        if (text.length() <= maxCharacters || text.codePointCount(0, text.length()) <= maxCharacters) {
            return of(text);
        }
        return of(text.substring(0, text.offsetByCodePoints(0, maxCharacters))) + "…";
    }

    private static void append(int character, StringBuilder line) {
        switch (character) {
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            case '\t' -> line.append("\\t");
            default -> {
                if (isInvisible(character)) {
                    line.append(
                            Character.isBmpCodePoint(character)
                                    ? String.format("\\u%04x", character)
                                    : String.format("\\U%08x", character));
                } else {
                    line.appendCodePoint(character);
                }
            }
        }
    }

    private static boolean isInvisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }
}
