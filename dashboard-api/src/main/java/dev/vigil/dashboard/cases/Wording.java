package dev.vigil.dashboard.cases;

import dev.vigil.config.OneLine;
import dev.vigil.event.card.CardNumberGuard;
import dev.vigil.event.card.CardNumbers;

/**
 * What people may write about a case: names and notes of bounded length, without characters that move the cursor, turn the
 * writing direction or are halves of others, and without card numbers, as the deployment says. Safe for any thread.
 */
public final class Wording {
    public static final int MAX_NAME_CHARACTERS = 100;
    public static final int MAX_NOTE_CHARACTERS = 4_000;

    private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
    private static final int ZERO_WIDTH_JOINER = 0x200D;

    private final CardNumberGuard guard;

    public Wording(CardNumberGuard guard) {
        this.guard = guard;
    }

    /**
     * A person's name, without blanks around it.
     *
     * @param key that it stands under, for complaints
     * @throws BadActionException if it is none
     */
    public String name(String key, String text) {
        return checked(key, text.strip(), MAX_NAME_CHARACTERS, false);
    }

    /** A note, which may have several lines; otherwise as {@link #name}. */
    public String note(String key, String text) {
        return checked(key, text.replace("\r\n", "\n").strip(), MAX_NOTE_CHARACTERS, true);
    }

    private String checked(String key, String text, int maxCharacters, boolean hasLines) {
        if (text.isEmpty()) {
            throw new BadActionException(key + ": expected a text, found none");
        }
        int characters = text.codePointCount(0, text.length());
        if (characters > maxCharacters) {
            throw new BadActionException(
                    key + ": expected at most " + maxCharacters + " characters, found " + characters);
        }
        text.codePoints()
                .filter(c -> !isWritten(c) && !(hasLines && c == '\n'))
                .findFirst()
                .ifPresent(c -> {
                    throw new BadActionException(key + ": expected a text without control characters, found "
                            + OneLine.of(Character.toString(c)));
                });
        if (!CardNumbers.isIn(text)) {
            return text;
        }
        return guard.storable(text)
                .orElseThrow(() -> new BadActionException(key + ": " + CardNumberGuard.complaint(text)));
    }

    private static boolean isWritten(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                false;
            // Scripts and emoji need these two of them.
            case Character.FORMAT -> character == ZERO_WIDTH_JOINER || character == ZERO_WIDTH_NON_JOINER;
            default -> true;
        };
    }
}
