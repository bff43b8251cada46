package dev.vigil.scoring;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventTimes;
import dev.vigil.event.FieldType;
import dev.vigil.event.MinorUnits;
import dev.vigil.scoring.state.EventLayout;
import dev.vigil.scoring.state.KnownTexts;
import dev.vigil.scoring.state.StoredEvent;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads an event's JSON data into its layout. Fields that the policy does not declare are skipped. Of a flat plain record
 * ({@link PlainReader}) the same pass finds the envelope. One thread, or any where no texts are kept.
 */
final class EventDecoder {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();
    private static final String CURRENCY = "currency";
    /** A text is copied into the scored event, into features and into the evidence of rules; all must fit one record. */
    private static final int MAX_TEXT = 8_192;

    private final EventLayout layout;
    private final MinorUnits currency;
    private final @Nullable String accountKey;
    private final Map<String, Member> members = new HashMap<>();
    private final @Nullable KnownTexts texts;

    /** Hears of everything in the data that is wrong or not declared, in the order of the data. */
    interface Findings {
        /** @param key that the policy does not declare; its value was skipped */
        void undeclared(String key);

        /** @param value that was refused, where the parser still stands */
        void refused(Rejection rejection, JsonParser value) throws IOException;
    }

    /** What is read of the data under one key; may be several things. */
    private static final class Member {
        int field = -1;
        boolean isAccount;
        boolean isCurrency;
        PlainReader.@Nullable Part part;
    }

    /**
     * @param declared indices of the fields that the policy declares; the layout may have more
     * @param accountKey data key that must agree with the account where it is present; null: none
     * @param plain of the policy, if its records are flat and may be events of this type
     * @param texts in which to look for those of the events; null: each event has its own
     */
    EventDecoder(
            EventLayout layout,
            int[] declared,
            @Nullable String accountKey,
            MinorUnits currency,
            @Nullable PlainReader plain,
            @Nullable KnownTexts texts) {
        this.texts = texts;
        this.layout = layout;
        this.accountKey = accountKey;
        this.currency = currency;
        boolean hasMoney = false;
        for (int field : declared) {
            member(layout.field(field).name()).field = field;
            hasMoney |= layout.type(field) == FieldType.MONEY;
        }
        if (accountKey != null) {
            member(accountKey).isAccount = true;
        }
        if (hasMoney) {
            member(CURRENCY).isCurrency = true;
        }
        if (plain != null) {
            plain.flatParts().forEach((key, part) -> member(key).part = part);
        }
    }

    private Member member(String key) {
        return members.computeIfAbsent(key, k -> new Member());
    }

    /**
     * Sets the event's fields from the data.
     *
     * @param envelope takes the parts of a flat plain record; null where the envelope is known
     */
    void decode(byte[] data, String account, StoredEvent event, @Nullable Map<PlainReader.Part, String> envelope)
            throws Rejection {
        decode(data, account, event, envelope, null);
    }

    /**
     * Sets what fields it can and tells of the others, so that the sender of an event hears of all that is wrong at once.
     *
     * @param account null where it is not known: then none disagrees with it
     * @throws Rejection if the data are no JSON object
     */
    void check(byte[] data, @Nullable String account, StoredEvent event, Findings findings) throws Rejection {
        decode(data, account, event, null, findings);
    }

    private void decode(
            byte[] data,
            @Nullable String account,
            StoredEvent event,
            @Nullable Map<PlainReader.Part, String> envelope,
            @Nullable Findings findings)
            throws Rejection {
        long seen = 0;
        try (JsonParser parser = JSON.createParser(data)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new Rejection(Reason.MALFORMED_JSON, "expected a JSON object as data");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                Member member = members.get(parser.currentName());
                JsonToken token = parser.nextToken();
                if (member == null) {
                    if (findings != null) {
                        findings.undeclared(parser.currentName());
                    }
                    parser.skipChildren();
                    continue;
                }
                if (member.field >= 0) {
                    long bit = 1L << member.field;
                    if ((seen & bit) != 0) {
                        throw new Rejection(
                                Reason.MALFORMED_JSON,
                                layout.field(member.field).name() + ": stands there twice");
                    }
                    seen |= bit;
                }
                try {
                    read(member, token, parser, account, event, envelope);
                } catch (Rejection rejection) {
                    if (findings == null) {
                        throw rejection;
                    }
                    findings.refused(rejection, parser);
                    parser.skipChildren();
                }
            }
            if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
                throw new Rejection(Reason.MALFORMED_JSON, "expected one JSON object as data");
            }
        } catch (IOException e) {
            // Jackson's own message may quote the data, and with it a card number.
            throw new Rejection(Reason.MALFORMED_JSON, "data is not valid JSON");
        }
    }

    private void read(
            Member member,
            JsonToken token,
            JsonParser parser,
            @Nullable String account,
            StoredEvent event,
            @Nullable Map<PlainReader.Part, String> envelope)
            throws Rejection, IOException {
        boolean isScalar = token.isScalarValue() && token != JsonToken.VALUE_NULL;
        boolean isChecked = member.isAccount && member.part != PlainReader.Part.ACCOUNT;
        if (isChecked && isScalar && account != null && !account.equals(parser.getText())) {
            throw new Rejection(
                    Reason.BAD_FIELD,
                    accountKey + ": differs from the event's subject",
                    accountKey,
                    "the event's subject");
        }
        if (member.isCurrency
                && token == JsonToken.VALUE_STRING
                && !currency.currency().equals(parser.getText())) {
            throw Rejection.ofField(
                    Reason.CURRENCY_MISMATCH, CURRENCY, currency.currency() + ", the policy's", "another");
        }
        if (envelope != null && member.part != null && isScalar) {
            envelope.putIfAbsent(member.part, parser.getText());
        }
        if (member.field >= 0 && token != JsonToken.VALUE_NULL) {
            set(event, member.field, token, parser);
        } else {
            parser.skipChildren();
        }
    }

    private void set(StoredEvent event, int field, JsonToken token, JsonParser parser) throws Rejection, IOException {
        if (!token.isScalarValue()) {
            throw bad(field, "a structure");
        }
        int slot = layout.slot(field);
        FieldType type = layout.type(field);
        switch (type) {
            case STRING -> event.setText(slot, text(field, parser));
            case BOOL -> event.setNumber(slot, bool(field, parser.getText()) ? 1 : 0);
            case LONG -> event.setNumber(slot, integer(field, parser.getText()));
            case DOUBLE -> event.setNumber(slot, Double.doubleToRawLongBits(real(field, token, parser.getText())));
            case MONEY -> event.setNumber(slot, money(field, parser.getText()));
            case TIMESTAMP -> event.setNumber(slot, timestamp(field, token, parser));
        }
    }

    private String text(int field, JsonParser parser) throws Rejection, IOException {
        int length = parser.getTextLength();
        if (length > MAX_TEXT) {
            throw Rejection.ofField(
                    Reason.TOO_LARGE, layout.field(field).name(), "at most " + MAX_TEXT + " characters", "" + length);
        }
        char[] characters = parser.getTextCharacters();
        String found = texts == null ? null : texts.find(characters, parser.getTextOffset(), length);
        if (found != null) {
            return found;
        }
        String text = wellFormed(new String(characters, parser.getTextOffset(), length));
        return texts == null ? text : texts.keep(text);
    }

    /** With half surrogate pairs, which JSON can escape and neither UTF-8 nor a table can hold, made U+FFFD. */
    static String wellFormed(String text) {
        StringBuilder changed = null;
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                int codePoint = text.codePointAt(i);
                if (Character.isSupplementaryCodePoint(codePoint)) {
                    i++;
                } else {
                    changed = changed == null ? new StringBuilder(text) : changed;
                    changed.setCharAt(i, '\uFFFD');
                }
            }
        }
        return changed == null ? text : changed.toString();
    }

    private boolean bool(int field, String text) throws Rejection {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw bad(field, "something else");
        };
    }

    private long integer(int field, String text) throws Rejection {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw bad(field, "something else, or more than 64 bits");
        }
    }

    private double real(int field, JsonToken token, String text) throws Rejection {
        double value;
        try {
            // A text could be 1d, 0x1p3 or NaN to Java.
            value = token == JsonToken.VALUE_STRING ? new BigDecimal(text).doubleValue() : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw bad(field, "something else");
        }
        if (!Double.isFinite(value)) {
            throw bad(field, "" + value);
        }
        String name = layout.field(field).name();
        if (name.equals("lat") && Math.abs(value) > 90 || name.equals("lon") && Math.abs(value) > 180) {
            throw bad(field, "degrees out of range");
        }
        return value == 0.0 ? 0.0 : value;
    }

    private long money(int field, String text) throws Rejection {
        try {
            return currency.parse(text);
        } catch (NumberFormatException e) {
            throw Rejection.ofField(
                    Reason.BAD_AMOUNT, layout.field(field).name(), "a decimal amount", "something else");
        } catch (ArithmeticException e) {
            String expected = "an amount with at most " + currency.digits() + " decimals in 64 bits of minor units, as "
                    + currency.currency() + " has them";
            String name = layout.field(field).name();
            throw new Rejection(Reason.BAD_AMOUNT, name + ": expected " + expected, name, expected);
        }
    }

    private long timestamp(int field, JsonToken token, JsonParser parser) throws Rejection, IOException {
        if (token == JsonToken.VALUE_NUMBER_INT) {
            long timeUs = integer(field, parser.getText());
            if (timeUs < EventTimes.MIN_US || timeUs > EventTimes.MAX_US) {
                throw bad(field, "microseconds outside the years 0001 to 9999");
            }
            return timeUs;
        }
        try {
            return EventTimes.parse(parser.getText());
        } catch (DateTimeParseException e) {
            throw bad(field, "something else (RFC 3339, or microseconds since 1970)");
        }
    }

    private Rejection bad(int field, String found) {
        String name = layout.field(field).name();
        return new Rejection(
                Reason.BAD_FIELD,
                name + ": expected " + layout.type(field).label() + ", found " + found,
                name,
                expected(name, layout.type(field)));
    }

    private static String expected(String field, FieldType type) {
        return switch (type) {
            case STRING -> "a text, a number or a boolean";
            case BOOL -> "true or false";
            case LONG -> "an integer of at most 64 bits";
            case DOUBLE ->
                switch (field) {
                    case "lat" -> "degrees from -90 to 90";
                    case "lon" -> "degrees from -180 to 180";
                    default -> "a finite number";
                };
            case TIMESTAMP ->
                "RFC 3339 with an offset, or microseconds since 1970-01-01T00:00:00Z, in the years 0001 to 9999";
            case MONEY -> "a decimal amount";
        };
    }
}
