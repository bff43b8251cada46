package dev.vigil.dashboard.intake;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.EventTypes;
import dev.vigil.event.UnitSlip;
import dev.vigil.event.card.CardNumberGuard;
import dev.vigil.event.card.CardNumbers;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Context attributes of one event while they are read, from whichever mode, and the rules they must keep. Extension
 * attributes other than {@code vigilbackfill} are accepted and not kept.
 */
final class EventAttributes {
    private static final int MAX_CHARACTERS = 256;
    private static final byte[] NO_DATA = {};
    private static final String UNKNOWN = "?";
    private static final Set<String> OF_FIXED_FORM =
            Set.of("specversion", "type", "time", "datacontenttype", "vigilbackfill");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]{1,64}");
    private static final Pattern JSON_TYPE =
            Pattern.compile("application/json(\\s*;\\s*charset=\"?utf-8\"?)?", Pattern.CASE_INSENSITIVE);

    private final Map<String, String> values = new HashMap<>();
    private final @Nullable Integer index;
    private final List<EventProblem> problems;
    private final int problemsBefore;
    private final CardNumberGuard cards;
    private int tokenisedCount;
    private @Nullable String policySource;
    private Map<String, String> paths = Map.of();

    EventAttributes(@Nullable Integer index, List<EventProblem> problems, CardNumberGuard cards) {
        this.cards = cards;
        this.index = index;
        this.problems = problems;
        this.problemsBefore = problems.size();
    }

    void put(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            refuse("attribute", EventProblem.MALFORMED, "attribute names are lower-case letters and digits");
        } else if (CardNumbers.isIn(name)) {
            refuse("attribute", EventProblem.CARD_NUMBER, CardNumberGuard.complaint(name));
        } else if (CardNumbers.isIn(value)) {
            putWithoutCard(name, value);
        } else {
            values.put(name, value);
        }
    }

    /** Where a text is one of a few, a token in it would only hide what is wrong. */
    private void putWithoutCard(String name, String value) {
        Optional<String> storable = OF_FIXED_FORM.contains(name) ? Optional.empty() : cards.storable(value);
        if (storable.isPresent()) {
            tokenised();
            values.put(name, storable.get());
        } else {
            refuse(name, EventProblem.CARD_NUMBER, CardNumberGuard.complaint(value));
        }
    }

    /** The source that the active policy gives to events which have none; as it is, since the policy was checked. */
    void putSourceOfPolicy(String source) {
        policySource = source;
    }

    /** Where the policy looks for attributes in a record that has none, for complaints. */
    void putPathsOfPolicy(Map<String, String> pathsByAttribute) {
        paths = pathsByAttribute;
    }

    /** Takes note that a token took the place of card numbers in a value of the event. */
    void tokenised() {
        tokenisedCount++;
    }

    int tokenisedCount() {
        return tokenisedCount;
    }

    void refuse(@Nullable String field, String code, String detail) {
        problems.add(new EventProblem(index, field, code, detail));
    }

    /**
     * The event as far as it is known, to be looked at further; only where nothing {@link #isRefused} it is one to publish.
     *
     * @param data a JSON object; null if there was none, which has been refused already, or is refused here unless it says
     *     that a reference row is gone
     * @param nowUs in place of a time that is missing
     * @return empty if too little is known
     */
    Optional<EventEnvelope> toEnvelope(byte @Nullable [] data, long nowUs) {
        requireSpecVersion();
        String id = text("id");
        String source = source();
        String type = type();
        String subject = text("subject");
        Long timeUs = time();
        requireJson();
        boolean backfill = backfill();
        boolean isRemoval = data == null && type.startsWith(EventTypes.REFERENCE_PREFIX);
        if (data == null && !isRemoval && !refusedData()) {
            refuse("data", EventProblem.MISSING, "expected a JSON object");
        }
        if (type.isEmpty() || refused("type") || data == null && !isRemoval) {
            return Optional.empty();
        }
        return Optional.of(new EventEnvelope(
                id.isEmpty() ? UNKNOWN : id,
                source.isEmpty() ? UNKNOWN : source,
                type,
                timeUs == null ? nowUs : timeUs,
                subject,
                backfill,
                data == null ? NO_DATA : data));
    }

    boolean isRefused() {
        return problems.size() > problemsBefore;
    }

    private void requireSpecVersion() {
        String version = values.get("specversion");
        if (version == null) {
            refuseMissing("specversion", "expected 1.0");
        } else if (!version.equals("1.0")) {
            refuse("specversion", EventProblem.MALFORMED, "expected 1.0, found " + shown(version));
        }
    }

    private String text(String name) {
        String value = values.get(name);
        if (value == null || value.isEmpty()) {
            refuseMissing(name, name.equals("subject") ? "expected the account's id" : "expected a text");
            return "";
        }
        if (value.length() > MAX_CHARACTERS) {
            refuse(
                    name,
                    EventProblem.TOO_LARGE,
                    "expected at most " + MAX_CHARACTERS + " characters, found " + value.length());
        } else if (value.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            refuse(name, EventProblem.MALFORMED, "expected a text without control characters");
        } else if (value.codePoints().anyMatch(EventAttributes::isHalfAPair)) {
            // UTF-8 has no form for it: in the log several of them would be one.
            refuse(name, EventProblem.MALFORMED, "expected a text without half surrogate pairs");
        }
        return value;
    }

    private static boolean isHalfAPair(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private String source() {
        if (policySource != null) {
            return policySource;
        }
        String source = text("source");
        try {
            new URI(source);
        } catch (URISyntaxException e) {
            refuse("source", EventProblem.MALFORMED, "expected a URI reference, found " + shown(source));
        }
        return source;
    }

    private String type() {
        String type = text("type");
        boolean isSendable = type.equals(EventTypes.LABEL) || type.startsWith(EventTypes.REFERENCE_PREFIX);
        if (EventTypes.isReserved(type) && !isSendable) {
            refuse(
                    "type",
                    EventProblem.RESERVED,
                    "types starting with " + EventTypes.RESERVED_PREFIX + " are Vigil's own; of these only "
                            + EventTypes.LABEL + " and " + EventTypes.REFERENCE_PREFIX + "NAME can be sent");
        }
        return type;
    }

    private @Nullable Long time() {
        String time = values.get("time");
        if (time == null) {
            refuseMissing(
                    "time",
                    paths.isEmpty()
                            ? "expected the event's own time, as in 2026-11-30T06:55:24.250Z"
                            : "expected the event's own time");
            return null;
        }
        try {
            return EventTimes.parse(time);
        } catch (DateTimeException | ArithmeticException e) {
            refuse(
                    "time",
                    EventProblem.MALFORMED,
                    "expected an RFC 3339 time with an offset, as in 2026-11-30T06:55:24.250Z, found " + shown(time));
            return null;
        }
    }

    /** Events of years ago are late, and taken; those of January 1970 are a mistake that would go unnoticed for long. */
    void requireUnitOfTime(long timeUs, long nowUs) {
        if (UnitSlip.isTooSmall(timeUs, nowUs) && !refused("time")) {
            refuse(
                    "time",
                    EventProblem.MALFORMED,
                    "expected the event's own time, found " + EventTimes.format(timeUs)
                            + ", which looks like seconds taken for milliseconds, or milliseconds for microseconds");
        }
    }

    private void requireJson() {
        String type = values.get("datacontenttype");
        if (type != null && !JSON_TYPE.matcher(type.strip()).matches()) {
            refuse("datacontenttype", EventProblem.MALFORMED, "expected application/json, found " + shown(type));
        }
    }

    private boolean backfill() {
        String backfill = values.getOrDefault("vigilbackfill", "false");
        if (!backfill.equals("true") && !backfill.equals("false")) {
            refuse("vigilbackfill", EventProblem.MALFORMED, "expected true or false, found " + shown(backfill));
        }
        return backfill.equals("true");
    }

    private void refuseMissing(String name, String detail) {
        if (!refused(name)) {
            String path = paths.get(name);
            refuse(
                    name,
                    EventProblem.MISSING,
                    path == null
                            ? detail
                            : detail + " at " + path + ", where the policy's section 'plain' looks for it");
        }
    }

    private boolean refused(String name) {
        return problems.subList(problemsBefore, problems.size()).stream().anyMatch(p -> name.equals(p.field()));
    }

    private boolean refusedData() {
        return refused("data")
                || problems.subList(problemsBefore, problems.size()).stream()
                        .anyMatch(p -> p.field() != null && p.field().startsWith("/data/"));
    }

    /** A found value as complaints repeat it: short, printable. Card numbers never get here. */
    static String shown(String text) {
        String printable = text.replaceAll("\\p{Cntrl}", "?");
        return printable.length() <= 60 ? printable : printable.substring(0, 60) + "…";
    }
}
