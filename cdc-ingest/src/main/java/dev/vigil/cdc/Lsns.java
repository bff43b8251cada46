package dev.vigil.cdc;

import java.util.Locale;

/** Positions in PostgreSQL's log as text: {@code 0/16B3748} is 23,803,720. */
public final class Lsns {

    private Lsns() {}

    public static String format(long lsn) {
        return Long.toHexString(lsn >>> 32).toUpperCase(Locale.ROOT)
                + "/"
                + Long.toHexString(lsn & 0xFFFF_FFFFL).toUpperCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException if the text is no position */
    public static long parse(String text) {
        int slash = text.indexOf('/');
        if (slash <= 0) {
            throw new IllegalArgumentException("expected a log position such as 0/16B3748, found " + text);
        }
        return Long.parseUnsignedLong(text.substring(0, slash), 16) << 32
                | Long.parseUnsignedLong(text.substring(slash + 1), 16);
    }
}
