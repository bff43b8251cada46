package dev.vigil.dashboard.intake;

import dev.vigil.event.EventEnvelope;
import java.util.List;

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

    /** Name and version, for people. */
    String policy();

    /** @param nowMs ms since the epoch, for how far ahead the event's time may be */
    Verdict check(EventEnvelope event, long nowMs);
}
