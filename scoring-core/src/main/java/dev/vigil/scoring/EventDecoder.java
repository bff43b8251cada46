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
 * ({@link PlainReader}) the same pass finds the envelope. One thread.
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
    private final KnownTexts texts = new KnownTexts();

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
     */
    EventDecoder(
            EventLayout layout,
            int[] declared,
            @Nullable String accountKey,
            MinorUnits currency,
            @Nullable PlainReader plain) {
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
        long seen = 0;
        try (JsonParser parser = JSON.createParser(data)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new Rejection(Reason.MALFORMED_JSON, "expected a JSON object as data");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                Member member = members.get(parser.currentName());
                JsonToken token = parser.nextToken();
                if (member == null) {
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
                read(member, token, parser, account, event, envelope);
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
            String account,
            StoredEvent event,
            @Nullable Map<PlainReader.Part, String> envelope)
            throws Rejection, IOException {
        boolean isScalar = token.isScalarValue() && token != JsonToken.VALUE_NULL;
        boolean isChecked = member.isAccount && member.part != PlainReader.Part.ACCOUNT;
        if (isChecked && isScalar && !account.equals(parser.getText())) {
            throw new Rejection(Reason.BAD_FIELD, accountKey + ": differs from the event's subject");
        }
        if (member.isCurrency
                && token == JsonToken.VALUE_STRING
                && !currency.currency().equals(parser.getText())) {
            throw new Rejection(
                    Reason.CURRENCY_MISMATCH,
                    "currency: expected " + currency.currency() + ", the policy's, found another");
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
            throw bad(field, "found a structure");
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
            throw new Rejection(
                    Reason.TOO_LARGE,
                    layout.field(field).name() + ": expected at most " + MAX_TEXT + " characters, found " + length);
        }
        char[] characters = parser.getTextCharacters();
        String found = texts.find(characters, parser.getTextOffset(), length);
        return found != null ? found : texts.keep(wellFormed(new String(characters, parser.getTextOffset(), length)));
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
            default -> throw bad(field, "found something else");
        };
    }

    private long integer(int field, String text) throws Rejection {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw bad(field, "found something else, or more than 64 bits");
        }
    }

    private double real(int field, JsonToken token, String text) throws Rejection {
        double value;
        try {
            // A text could be 1d, 0x1p3 or NaN to Java.
            value = token == JsonToken.VALUE_STRING ? new BigDecimal(text).doubleValue() : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw bad(field, "found something else");
        }
        if (!Double.isFinite(value)) {
            throw bad(field, "found " + value);
        }
        String name = layout.field(field).name();
        if (name.equals("lat") && Math.abs(value) > 90 || name.equals("lon") && Math.abs(value) > 180) {
            throw bad(field, "found degrees out of range");
        }
        return value == 0.0 ? 0.0 : value;
    }

    private long money(int field, String text) throws Rejection {
        try {
            return currency.parse(text);
        } catch (NumberFormatException e) {
            throw new Rejection(
                    Reason.BAD_AMOUNT,
                    layout.field(field).name() + ": expected a decimal amount, found something else");
        } catch (ArithmeticException e) {
            throw new Rejection(
                    Reason.BAD_AMOUNT,
                    layout.field(field).name() + ": expected an amount with at most " + currency.digits()
                            + " decimals in 64 bits of minor units, as " + currency.currency() + " has them");
        }
    }

    private long timestamp(int field, JsonToken token, JsonParser parser) throws Rejection, IOException {
        if (token == JsonToken.VALUE_NUMBER_INT) {
            long timeUs = integer(field, parser.getText());
            if (timeUs < EventTimes.MIN_US || timeUs > EventTimes.MAX_US) {
                throw bad(field, "found microseconds outside the years 0001 to 9999");
            }
            return timeUs;
        }
        try {
            return EventTimes.parse(parser.getText());
        } catch (DateTimeParseException e) {
            throw bad(field, "found something else (RFC 3339, or microseconds since 1970)");
        }
    }

    private Rejection bad(int field, String found) {
        return new Rejection(
                Reason.BAD_FIELD,
                layout.field(field).name() + ": expected " + layout.type(field).label() + ", " + found);
    }
}
