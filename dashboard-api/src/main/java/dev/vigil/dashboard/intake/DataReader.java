package dev.vigil.dashboard.intake;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.Json;
import dev.vigil.event.card.CardNumberGuard;
import dev.vigil.event.card.CardNumbers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes an event's data out of a body: the very bytes that came in, so that no number loses a digit, but for card numbers that
 * are to become tokens. Safe for any thread.
 */
final class DataReader {
    private static final int MAX_DIGITS_SHOWN = 12;
    /** Before or behind the point. Of exponents beyond, sums do not fit where decimals keep them. */
    private static final long MAX_PLACES = 1_000_000_000;

    private final int maxBytes;
    private final CardNumberGuard cards;

    DataReader(int maxBytes, CardNumberGuard cards) {
        this.maxBytes = maxBytes;
        this.cards = cards;
    }

    /** Bytes of the body, the second index exclusive, and what stands in their place. */
    private record Replacement(int start, int end, byte[] value) {}

    /** The bytes of the value that the parser stands on; null if it is refused. */
    byte @Nullable [] read(JsonParser parser, byte[] body, EventAttributes event) throws IOException {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.START_OBJECT) {
            event.refuse("data", EventProblem.MALFORMED, "expected a JSON object, found " + found(token));
            parser.skipChildren();
            return null;
        }
        int start = (int) parser.currentTokenLocation().getByteOffset();
        String root = parser.getParsingContext().pathAsPointer().toString();
        List<Replacement> replacements = new ArrayList<>();
        boolean isReadable = true;
        int depth = 1;
        while (depth > 0) {
            token = parser.nextToken();
            if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
                depth++;
            } else if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
                depth--;
            } else if (token == JsonToken.VALUE_NUMBER_FLOAT && !isWithinPlaces(parser.getText())) {
                isReadable = false;
                event.refuse(
                        pointer(parser, token, root),
                        DeadLetter.Reason.BAD_FIELD.code(),
                        "expected a number of at most " + MAX_PLACES + " places before and behind the point, found "
                                + shown(parser.getText()));
            } else {
                lookForCards(parser, token, root, event, replacements);
            }
        }
        if (!isReadable) {
            return null;
        }
        int end = (int) parser.currentTokenLocation().getByteOffset() + 1;
        byte[] data = replaced(body, start, end, replacements);
        if (data.length > maxBytes) {
            event.refuse(
                    "data", EventProblem.TOO_LARGE, "expected at most " + maxBytes + " bytes, found " + data.length);
        }
        return data;
    }

    private void lookForCards(
            JsonParser parser, JsonToken token, String root, EventAttributes event, List<Replacement> replacements)
            throws IOException {
        String text = textThatMayHoldOne(parser, token);
        if (text.isEmpty() || !CardNumbers.isIn(text)) {
            return;
        }
        Optional<String> storable = token == JsonToken.FIELD_NAME ? Optional.empty() : cards.storable(text);
        if (storable.isPresent()) {
            event.tokenised();
            replacements.add(new Replacement(
                    (int) parser.currentTokenLocation().getByteOffset(),
                    (int) parser.currentLocation().getByteOffset(),
                    Json.encode(storable.get())));
        } else {
            event.refuse(pointer(parser, token, root), EventProblem.CARD_NUMBER, CardNumberGuard.complaint(text));
        }
    }

    private static String textThatMayHoldOne(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_STRING, FIELD_NAME -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getText().replace("-", "");
            case VALUE_NUMBER_FLOAT -> CardNumbers.wholeDigits(parser.getText());
            default -> "";
        };
    }

    private static boolean isWithinPlaces(String text) {
        try {
            BigDecimal number = new BigDecimal(text);
            return Math.abs((long) number.scale()) <= MAX_PLACES && places(number) <= MAX_PLACES;
        } catch (NumberFormatException e) {
            return false; // an exponent beyond all numbers
        }
    }

    /** The exponent says it; with enough digits before it for a card number, it alone is repeated. */
    private static String shown(String number) {
        int exponent = Math.max(0, number.toLowerCase(Locale.ROOT).indexOf('e'));
        return EventAttributes.shown(exponent <= MAX_DIGITS_SHOWN ? number : "…" + number.substring(exponent));
    }

    private static long places(BigDecimal number) {
        return (long) number.precision() - number.scale();
    }

    private static byte[] replaced(byte[] body, int start, int end, List<Replacement> replacements) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(end - start + 64 * replacements.size());
        int from = start;
        for (Replacement replacement : replacements) {
            bytes.write(body, from, replacement.start - from);
            bytes.writeBytes(replacement.value);
            from = replacement.end;
        }
        bytes.write(body, from, end - from);
        return bytes.toByteArray();
    }

    /** Where it is, as a pointer; a name that is itself a card number is not repeated. */
    private static String pointer(JsonParser parser, JsonToken token, String root) {
        String field =
                "/data" + parser.getParsingContext().pathAsPointer().toString().substring(root.length());
        return token == JsonToken.FIELD_NAME || CardNumbers.isIn(field) ? "data" : field;
    }

    private static String found(@Nullable JsonToken token) {
        return token == null ? "nothing" : "a JSON " + kind(token);
    }

    /** For people. */
    static String kind(JsonToken token) {
        return switch (token) {
            case START_ARRAY -> "list";
            case START_OBJECT -> "object";
            case VALUE_STRING -> "text";
            case VALUE_NULL -> "null";
            case VALUE_TRUE, VALUE_FALSE -> "boolean";
            default -> "number";
        };
    }
}
