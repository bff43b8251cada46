package dev.vigil.dashboard.intake;

import dev.vigil.event.EventEnvelope;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The event types and reference rows that a policy declares, to hold events against before they are in the log. Safe for any thread. */
public interface DeclaredTypes {
    /**
     * What is wrong with a field.
     *
     * @param field attribute, or JSON pointer into the data, as in {@code /data/amount}
     * @param code as of {@link EventProblem}, in most cases a reason for which the engine would dead-letter the event
     * @param found may repeat a value of the event, shortened
     */
    record Complaint(String field, String code, String expected, String found) {}

    /**
     * @param complaints empty: the engine scores the event
     * @param undeclared top-level keys of the data that the policy does not know
     */
    record Verdict(List<Complaint> complaints, List<String> undeclared) {
        public Verdict {
            complaints = List.copyOf(complaints);
            undeclared = List.copyOf(undeclared);
        }
    }

    /**
     * A record that is plain JSON, as an event; missing parts are null.
     *
     * @param accountIsKey whether the account is the record's key
     * @param timeUs event time, µs since the epoch
     * @param data the JSON object that has the fields; empty: missing
     * @param envelopeKeys top-level keys of the data that lead to parts of the envelope
     * @param paths where the policy looks for the attributes {@code id}, {@code time}, {@code subject} and {@code type}; without
     *     those that stand elsewhere
     * @param complaints about the parts; {@code found} is empty where {@code expected} says it all
     */
    record Plain(
            @Nullable String id,
            String source,
            @Nullable String type,
            @Nullable String account,
            boolean accountIsKey,
            @Nullable Long timeUs,
            byte[] data,
            Set<String> envelopeKeys,
            Map<String, String> paths,
            List<Complaint> complaints) {
        public Plain {
            envelopeKeys = Set.copyOf(envelopeKeys);
            paths = Map.copyOf(paths);
            complaints = List.copyOf(complaints);
        }
    }

    /** Name and version, for people. */
    String policy();

    /** @param nowMs ms since the epoch, for how far ahead the event's time may be */
    Verdict check(EventEnvelope event, long nowMs);

    /** The fields that the type's data may have; none of a type that is not declared. */
    Collection<String> fields(String type);

    /** Whether the policy says how records without CloudEvents attributes are read. */
    boolean readsPlain();

    /**
     * Reads a record without CloudEvents attributes as the policy says.
     *
     * @param json an object
     * @return empty if the policy does not say how
     */
    Optional<Plain> plain(byte[] json);
}
