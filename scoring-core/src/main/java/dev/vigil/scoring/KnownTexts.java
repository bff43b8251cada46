package dev.vigil.scoring;

import org.jspecify.annotations.Nullable;

/**
 * Texts that were read lately. Merchants, countries and devices come again and again: one object for all of them costs less
 * memory, and comparing it with itself less time. Forgets without being told. One thread.
 */
final class KnownTexts {
    private static final int SLOTS = 1 << 14;
    private static final int LONGEST = 64;

    private final @Nullable String[] known = new String[SLOTS];

    /** The characters as a text that UTF-8 can hold ({@link EventDecoder#wellFormed}). */
    String of(char[] characters, int offset, int length) {
        if (length > LONGEST) {
            return EventDecoder.wellFormed(new String(characters, offset, length));
        }
        int hash = 0;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + characters[i];
        }
        int slot = (hash ^ hash >>> 14) & SLOTS - 1;
        String text = known[slot];
        if (text != null && isSame(text, characters, offset, length)) {
            return text;
        }
        String found = new String(characters, offset, length);
        String wellFormed = EventDecoder.wellFormed(found);
        if (wellFormed.equals(found)) {
            known[slot] = found;
        }
        return wellFormed;
    }

    private static boolean isSame(String text, char[] characters, int offset, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != characters[offset + i]) {
                return false;
            }
        }
        return true;
    }
}
