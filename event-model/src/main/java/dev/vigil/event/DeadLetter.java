package dev.vigil.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a record went to {@code vigil.dead-letters}. The record there keeps the original key, value and headers; these
 * fields are added as headers.
 *
 * @param reason a code of {@link Reason}
 * @param stage service that refused it, as in {@code scoring-engine}
 * @param detail one line for a person: field, expected, found; without card numbers
 * @param position of the refused record in the log; absent where it never reached the log
 */
public record DeadLetter(
        Reason reason,
        String stage,
        String detail,
        @Nullable SourcePosition position) {

    /** Reason codes. */
    public enum Reason {
        MALFORMED_ENVELOPE,
        MALFORMED_JSON,
        MISSING_ID,
        MISSING_ACCOUNT,
        MISSING_TIME,
        UNKNOWN_EVENT_TYPE,
        BAD_FIELD,
        BAD_AMOUNT,
        CURRENCY_MISMATCH,
        FUTURE_EVENT_TIME,
        TIME_OUT_OF_RANGE,
        NO_POLICY,
        BAD_POLICY,
        UNKNOWN_CONTROL,
        TOO_LARGE,
        CARD_NUMBER,
        UNKNOWN_FIELD,
        UNKNOWN_SCHEMA;

        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** All of them, as headers carry them. */
        public static List<String> codes() {
            return Arrays.stream(values()).map(Reason::code).toList();
        }
    }

    /** Stage of what was refused while it was scored: a record of the log. */
    public static final String ENGINE_STAGE = "scoring-engine";
    /** Stage of what was refused on its way from {@code vigil.intake} into the log. */
    public static final String INTAKE_STAGE = "intake";

    /** Every header of Vigil's own begins so; what a producer sent has none of these. */
    public static final String HEADER_PREFIX = "vigil-";

    public static final String REASON_HEADER = "vigil-reason";
    public static final String STAGE_HEADER = "vigil-stage";
    public static final String DETAIL_HEADER = "vigil-detail";
    public static final String POSITION_HEADER = "vigil-position";
    /** {@code topic:partition:offset} of a refused record that did not stand in the log. */
    public static final String ORIGIN_HEADER = "vigil-origin";
    /** {@code true} where the record is not kept as it came, since nothing but stars could take a card number's place. */
    public static final String MASKED_HEADER = "vigil-masked";

    /** Headers to add to the original ones, in a fixed order. */
    public Map<String, byte[]> headers() {
        Map<String, byte[]> headers = new LinkedHashMap<>();
        headers.put(REASON_HEADER, utf8(reason.code()));
        headers.put(STAGE_HEADER, utf8(stage));
        headers.put(DETAIL_HEADER, utf8(detail));
        if (position != null) {
            headers.put(POSITION_HEADER, utf8(position.toString()));
        }
        return headers;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
