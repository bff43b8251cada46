package dev.vigil.dashboard.intake;

import com.fasterxml.jackson.core.JsonParser;
import dev.vigil.event.Json;
import dev.vigil.event.card.CardNumberConfig;
import dev.vigil.event.card.CardNumberGuard;
import dev.vigil.event.card.CardNumbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Bytes of a record that is kept for people, without the card numbers in them. Safe for any thread. */
final class CardFreeBytes {
    /** @param masked whether stars took the place of a number */
    record Result(byte @Nullable [] bytes, boolean masked) {}

    private final CardNumberGuard tokens;
    private final DataReader tokenising;
    private final DataReader masking;

    CardFreeBytes(CardNumberConfig config) {
        this.tokens = new CardNumberGuard(config);
        this.tokenising = new DataReader(Integer.MAX_VALUE, tokens);
        this.masking = new DataReader(Integer.MAX_VALUE, CardNumberGuard.masking());
    }

    /** Of a value: what is a JSON object stays one. */
    Result ofValue(byte @Nullable [] value) {
        if (value == null) {
            return new Result(null, false);
        }
        Optional<byte[]> tokenised = object(value, tokenising, tokens);
        if (tokenised.isPresent()) {
            return new Result(tokenised.get(), false);
        }
        return object(value, masking, CardNumberGuard.masking())
                .map(bytes -> new Result(bytes, true))
                .orElseGet(() -> masked(value));
    }

    /** Of a key or a header. */
    Result ofText(byte @Nullable [] bytes) {
        String text = utf8(bytes);
        if (bytes == null || text == null) {
            return bytes == null ? new Result(null, false) : masked(bytes);
        }
        if (!CardNumbers.isIn(text)) {
            return new Result(bytes, false);
        }
        return tokens.storable(text)
                .map(stored -> new Result(stored.getBytes(StandardCharsets.UTF_8), false))
                .orElseGet(() -> masked(bytes));
    }

    /** In place: only digits change, and escapes of digits, each into as many stars as it has characters. */
    private static Result masked(byte[] bytes) {
        String text = utf8(bytes);
        byte[] masked = text == null
                ? CardNumbers.masked(bytes)
                : CardNumbers.maskedJson(text).getBytes(StandardCharsets.UTF_8);
        boolean isMasked = !java.util.Arrays.equals(bytes, masked);
        return new Result(isMasked ? masked : bytes, isMasked);
    }

    /** Null for what is none, and for what has zero bytes: to Jackson those are UTF-16 or UTF-32, whose places are no bytes. */
    private static @Nullable String utf8(byte @Nullable [] bytes) {
        String text = SentRecord.text(bytes);
        return text == null || text.indexOf('\0') >= 0 ? null : text;
    }

    /** The object with something else for every number; empty if it is none, or a number stands where nothing else may. */
    private static Optional<byte[]> object(byte[] value, DataReader reader, CardNumberGuard guard) {
        if (utf8(value) == null) {
            return Optional.empty();
        }
        List<EventProblem> problems = new ArrayList<>();
        EventAttributes event = new EventAttributes(null, problems, guard);
        try (JsonParser parser = Json.mapper().createParser(value)) {
            parser.nextToken();
            byte[] object = reader.read(parser, value, event);
            if (object == null || parser.nextToken() != null || !problems.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(event.tokenisedCount() == 0 ? value : object);
        } catch (IOException e) {
            // Of an array it can only be what stands there; not each is a complaint about JSON, as about odd UTF-32.
            return Optional.empty();
        }
    }
}
