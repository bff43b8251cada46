package dev.vigil.scoring;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.vigil.config.ConfigException;
import dev.vigil.config.NearestName;
import dev.vigil.config.OneLine;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.EventTypes;
import dev.vigil.event.FieldType;
import dev.vigil.event.UnitSlip;
import dev.vigil.scoring.policy.EventDeclaration;
import dev.vigil.scoring.policy.PlainRecords;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.ReferenceDeclaration;
import dev.vigil.scoring.state.EventLayout;
import dev.vigil.scoring.state.StoredEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Says before an event is appended to the log for what a policy would refuse it, by the decoder that scores. So what
 * passes here is scored while this policy is the active one, and what the engine would dead-letter does not get there.
 * Knows no state: duplicates and late events pass. Safe for any thread.
 */
public final class EventCheck {
    private static final long US_PER_MS = 1_000;
    private static final String TYPE = "type";

    private final Policy policy;
    private final Map<String, Checked> types = new LinkedHashMap<>();

    private record Checked(List<String> fields, EventLayout layout, EventDecoder decoder) {}

    /**
     * What is wrong with an event.
     *
     * @param field attribute, or JSON pointer into the data, as in {@code /data/amount}
     * @param found for people; repeats values of the event, shortened, and so may hold a card number
     */
    public record Finding(Reason reason, String field, String expected, String found) {}

    /**
     * Everything about one event.
     *
     * @param refused empty: it would be scored
     * @param undeclared top-level keys of the data that the policy does not know; they go unread
     */
    public record Findings(List<Finding> refused, List<String> undeclared) {
        public Findings {
            refused = List.copyOf(refused);
            undeclared = List.copyOf(undeclared);
        }
    }

    /**
     * What a record that is plain JSON is as an event, where the policy's {@code plain} section says so; missing parts are
     * null.
     *
     * @param accountIsKey whether the record's key is the account, since the section leads to none
     * @param timeUs event time, µs since the epoch
     * @param data the JSON object that has the fields
     * @param envelopeKeys top-level keys of the data that lead to parts of the envelope
     * @param paths where the section has the attributes {@code id}, {@code time}, {@code subject} and {@code type}, as it writes them;
     *     without those that stand elsewhere
     * @param refused what is wrong with the parts
     */
    public record PlainEvent(
            @Nullable String id,
            String source,
            @Nullable String type,
            @Nullable String account,
            boolean accountIsKey,
            @Nullable Long timeUs,
            byte @Nullable [] data,
            Set<String> envelopeKeys,
            Map<String, String> paths,
            List<Finding> refused) {
        public PlainEvent {
            paths = Map.copyOf(paths);
            envelopeKeys = Set.copyOf(envelopeKeys);
            refused = List.copyOf(refused);
        }
    }

    public EventCheck(Policy policy) {
        this.policy = policy;
        for (EventDeclaration event : policy.events()) {
            add(event.type(), event.fields(), event.account());
        }
        for (ReferenceDeclaration reference : policy.references()) {
            add(EventTypes.REFERENCE_PREFIX + reference.name(), reference.fields(), null);
        }
    }

    private void add(String type, Map<String, FieldType> fields, @Nullable String accountKey) {
        EventLayout layout = new EventLayout(
                type,
                fields.entrySet().stream()
                        .map(field -> new EventLayout.Field(field.getKey(), field.getValue()))
                        .toList());
        int[] all = IntStream.range(0, layout.fieldCount()).toArray();
        types.put(
                type,
                new Checked(
                        List.copyOf(fields.keySet()),
                        layout,
                        new EventDecoder(layout, all, accountKey, policy.currency(), null, null)));
    }

    /**
     * The check that holds from an activation on, as it does in the engine: one that cannot be meant, or is in another
     * currency, changes nothing.
     *
     * @param before in force until now; null: none
     * @param policyText of the activation
     * @return empty if there is still none
     */
    public static Optional<EventCheck> activated(@Nullable EventCheck before, String policyText) {
        Policy next;
        try {
            next = Policies.check("policy", policyText);
        } catch (ConfigException e) {
            return Optional.ofNullable(before);
        }
        if (before != null
                && !before.policy.currency().currency().equals(next.currency().currency())) {
            return Optional.of(before);
        }
        return Optional.of(new EventCheck(next));
    }

    public Policy policy() {
        return policy;
    }

    /**
     * Looks at a business event, a reference row or a label; a label's data are not looked at.
     *
     * @param event without a subject: the account in its data is not looked at
     * @param nowMs ms since the epoch, in place of the ingest time that the event is about to have
     */
    public Findings check(EventEnvelope event, long nowMs) {
        if (event.type().equals(EventTypes.LABEL)) {
            return new Findings(List.of(), List.of());
        }
        List<Finding> refused = new ArrayList<>();
        List<String> undeclared = new ArrayList<>();
        Checked type = types.get(event.type());
        if (type == null) {
            refused.add(unknownType(event.type()));
            return new Findings(refused, undeclared);
        }
        boolean isRow = EventTypes.isReserved(event.type());
        if (!isRow) {
            checkTime(event.timeUs(), nowMs, refused);
        }
        if (!isRow || event.data().length > 0) {
            checkData(event, type, refused, undeclared);
        }
        return new Findings(refused, undeclared);
    }

    /**
     * Reads a record by the policy's {@code plain} section. A time that is written as RFC 3339 is taken whatever the section's
     * unit.
     *
     * @return empty if the policy has no such section
     */
    public Optional<PlainEvent> plain(byte[] record) {
        PlainRecords plain = policy.plain();
        if (plain == null) {
            return Optional.empty();
        }
        PlainReader reader = new PlainReader(plain);
        List<Finding> refused = new ArrayList<>();
        String type = null;
        Long timeUs = null;
        try {
            reader.find(record);
            type = reader.type();
        } catch (Rejection rejection) {
            refused.add(ofPart(rejection, rejection.reason == Reason.UNKNOWN_CONTROL ? TYPE : "data"));
        }
        try {
            timeUs = reader.anyTimeUs();
        } catch (Rejection rejection) {
            refused.add(ofPart(rejection, "time"));
        }
        boolean isWhole = plain.data().isEmpty();
        return Optional.of(new PlainEvent(
                reader.found(PlainReader.Part.ID),
                plain.source(),
                type,
                reader.found(PlainReader.Part.ACCOUNT),
                plain.account() == null,
                timeUs,
                isWhole ? record : reader.data(),
                isWhole ? envelopeKeys(plain) : Set.of(),
                paths(plain),
                refused));
    }

    private static Map<String, String> paths(PlainRecords plain) {
        Map<String, String> paths = new LinkedHashMap<>();
        paths.put("id", String.join(".", plain.id()));
        paths.put("time", String.join(".", plain.time()));
        List<String> account = plain.account();
        if (account != null) {
            paths.put("subject", String.join(".", account));
        }
        List<String> type = plain.typePath();
        if (type != null) {
            paths.put("type", String.join(".", type));
        }
        return paths;
    }

    private static Finding ofPart(Rejection rejection, String part) {
        return new Finding(rejection.reason, part, rejection.detail, "");
    }

    private static Set<String> envelopeKeys(PlainRecords plain) {
        Set<String> keys = new HashSet<>(List.of(plain.id().get(0), plain.time().get(0)));
        List<String> account = plain.account();
        if (account != null) {
            keys.add(account.get(0));
        }
        List<String> type = plain.typePath();
        if (type != null) {
            keys.add(type.get(0));
        }
        return keys;
    }

    /** Names of the fields that events or rows of a type have; none of one that is not declared. */
    public List<String> fields(String type) {
        Checked checked = types.get(type);
        return checked == null ? List.of() : checked.fields;
    }

    private Finding unknownType(String type) {
        String hint = NearestName.of(type, types.keySet())
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse("");
        return new Finding(
                EventTypes.isReserved(type) ? Reason.UNKNOWN_CONTROL : Reason.UNKNOWN_EVENT_TYPE,
                TYPE,
                "a type that policy " + policy.name() + " version " + policy.version() + " declares ("
                        + String.join(", ", types.keySet()) + ")",
                "'" + OneLine.shortened(type) + "'" + hint);
    }

    private void checkTime(long timeUs, long nowMs, List<Finding> refused) {
        long latestUs = nowMs * US_PER_MS + policy.time().maxFutureSkewUs();
        if (timeUs > latestUs) {
            refused.add(new Finding(
                    Reason.FUTURE_EVENT_TIME,
                    "time",
                    "at most " + EventTimes.format(latestUs) + ", which is now and max_future_skew",
                    EventTimes.format(timeUs) + UnitSlip.hint(timeUs, nowMs * US_PER_MS)));
        }
    }

    private static void checkData(EventEnvelope event, Checked type, List<Finding> refused, List<String> undeclared) {
        String account = event.subject().isEmpty() ? null : event.subject();
        StoredEvent fields = new StoredEvent(type.layout(), event.source(), event.id(), event.timeUs(), 0);
        try {
            type.decoder().check(event.data(), account, fields, new EventDecoder.Findings() {
                @Override
                public void undeclared(String key) {
                    undeclared.add(key);
                }

                @Override
                public void refused(Rejection rejection, JsonParser value) throws IOException {
                    refused.add(finding(rejection, found(value)));
                }
            });
        } catch (Rejection rejection) {
            refused.add(finding(rejection, "something else"));
        }
    }

    private static Finding finding(Rejection rejection, String found) {
        return new Finding(
                rejection.reason,
                rejection.field == null ? "data" : pointer(rejection.field),
                rejection.expected == null ? "one JSON object" : rejection.expected,
                found);
    }

    /** RFC 6901. */
    private static String pointer(String key) {
        return "/data/" + key.replace("~", "~0").replace("/", "~1");
    }

    private static String found(JsonParser value) throws IOException {
        JsonToken token = value.currentToken();
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> "the text '" + OneLine.shortened(value.getText()) + "'";
            default -> OneLine.shortened(value.getText());
        };
    }
}
