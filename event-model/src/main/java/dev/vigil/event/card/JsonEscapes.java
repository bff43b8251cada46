package dev.vigil.event.card;

import java.util.Arrays;

/** The characters that a text means which has some of them as escapes of JSON. One thread. */
final class JsonEscapes {
    private static final String SHORT = "\"\\/bfnrt";
    private static final String SHORT_MEANING = "\"\\/\b\f\n\r\t";
    private static final int UNICODE_LENGTH = 6;

    private final String json;
    private final StringBuilder text = new StringBuilder();
    /** Where in the JSON each character of the text starts; the last one is its end. */
    private int[] places;

    JsonEscapes(String json) {
        this.json = json;
        this.places = new int[Math.max(16, json.length() / 2)];
        int i = 0;
        while (i < json.length()) {
            place(i);
            int escaped = unicode(i);
            int meaning = json.charAt(i) == '\\' && i + 1 < json.length() ? SHORT.indexOf(json.charAt(i + 1)) : -1;
            if (escaped >= 0) {
                text.append((char) escaped);
                i += UNICODE_LENGTH;
            } else if (meaning >= 0) {
                text.append(SHORT_MEANING.charAt(meaning));
                i += 2;
            } else {
                text.append(json.charAt(i++));
            }
        }
        place(i);
    }

    private void place(int i) {
        if (text.length() == places.length) {
            places = Arrays.copyOf(places, places.length * 2);
        }
        places[text.length()] = i;
    }

    /** The character that the escape there stands for; -1 if there is none. */
    private int unicode(int at) {
        if (at + UNICODE_LENGTH > json.length() || json.charAt(at) != '\\' || json.charAt(at + 1) != 'u') {
            return -1;
        }
        int c = 0;
        for (int i = at + 2; i < at + UNICODE_LENGTH; i++) {
            int digit = Character.digit(json.charAt(i), 16);
            if (digit < 0 || json.charAt(i) >= 0x80) {
                return -1;
            }
            c = c * 16 + digit;
        }
        return c;
    }

    String text() {
        return text.toString();
    }

    /** The JSON with stars in the place of each character, escape or not, that is one in this text and was none. */
    String withStars(String masked) {
        StringBuilder starred = new StringBuilder(json.length());
        for (int i = 0; i < masked.length(); i++) {
            if (masked.charAt(i) == text.charAt(i)) {
                starred.append(json, places[i], places[i + 1]);
            } else {
                starred.append("*".repeat(places[i + 1] - places[i]));
            }
        }
        return starred.toString();
    }
}
