package dev.vigil.scoring.state;

import org.jspecify.annotations.Nullable;

/**
 * Texts that were read lately. Merchants, countries and devices come again and again: one object for all of them costs less
 * memory, and comparing it with itself less time. Forgets without being told. One thread.
 */
public final class KnownTexts {
    private static final int SLOTS = 1 << 14;
    private static final int LONGEST = 64;

    private final @Nullable String[] known = new String[SLOTS];

    /** The text of these characters; null if it is not known. */
    public @Nullable String find(char[] characters, int offset, int length) {
        if (length > LONGEST) {
            return null;
        }
        int hash = 0;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + characters[i];
        }
        String text = known[slot(hash)];
        if (text == null || text.length() != length) {
            return null;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != characters[offset + i]) {
                return null;
            }
        }
        return text;
    }

    /** The text of these bytes in UTF-8; null if it is not known, or not of ASCII alone. */
    @Nullable
    String find(byte[] bytes, int offset, int length) {
        if (length > LONGEST) {
            return null;
        }
        int hash = 0;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        String text = known[slot(hash)];
        if (text == null || text.length() != length) {
            return null;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[offset + i] < 0 || text.charAt(i) != bytes[offset + i]) {
                return null;
            }
        }
        return text;
    }

    /** Takes in a text that was not found; gives it back. */
    public String keep(String text) {
        if (text.length() <= LONGEST) {
            known[slot(text.hashCode())] = text;
        }
        return text;
    }

    /** @param hash as {@link String#hashCode} */
    private static int slot(int hash) {
        return (hash ^ hash >>> 14) & SLOTS - 1;
    }
}
