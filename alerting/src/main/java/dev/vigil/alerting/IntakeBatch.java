package dev.vigil.alerting;

import dev.vigil.alerting.cases.CaseChanges;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one poll of the alerts topic and the topic of actions changes; enters the outbox whole or not at all.
 *
 * @param nextOffsets of both topics: next to read
 * @param passedOffsets of the log: largest offset whose alert has been taken
 * @param eventTimesUs largest event time in the batch by partition of the log; marks that expire at or before it go
 */
public record IntakeBatch(
        Map<LogPartition, Long> nextOffsets,
        Map<LogPartition, Long> passedOffsets,
        Map<Integer, Long> eventTimesUs,
        List<RoutedAlert> alerts,
        List<CooldownMark> marks,
        List<OutgoingRecord> outgoing,
        CaseChanges cases,
        Counts counts) {
    public IntakeBatch {
        nextOffsets = Map.copyOf(nextOffsets);
        passedOffsets = Map.copyOf(passedOffsets);
        eventTimesUs = Map.copyOf(eventTimesUs);
        alerts = List.copyOf(alerts);
        marks = List.copyOf(marks);
        outgoing = List.copyOf(outgoing);
    }

    /**
     * An alert with a delivery to each of the endpoints, due at once.
     *
     * @param json the alert as it stands in the topic
     * @param endpoints names, at least one
     * @param caseId absent where it is sent again
     * @param escalation whether it is sent although its group cools down
     * @param account whose alert it is
     * @param inOrder of the endpoints those that get it only once those before it of the account are over
     */
    public record RoutedAlert(
            byte[] json,
            List<String> endpoints,
            long acceptedAtMs,
            @Nullable String caseId,
            boolean escalation,
            String account,
            Set<String> inOrder) {
        public RoutedAlert {
            endpoints = List.copyOf(endpoints);
            inOrder = Set.copyOf(inOrder);
        }

        public RoutedAlert to(List<String> fewer) {
            return new RoutedAlert(json, fewer, acceptedAtMs, caseId, escalation, account, inOrder);
        }
    }

    /**
     * What became of the batch's records: each was a duplicate, dead-lettered, an alert or an action; of the alerts, some were
     * suppressed and some wanted by no endpoint.
     *
     * @param deadLettered records of both topics
     */
    public record Counts(
            long alerts, long suppressed, long unrouted, long duplicates, long deadLettered, CaseCounts cases) {
        public static final Counts ZERO = new Counts(0, 0, 0, 0, 0, CaseCounts.ZERO);

        public Counts {
            // Counts of an outbox from before there were cases.
            cases = Objects.requireNonNullElse(cases, CaseCounts.ZERO);
        }

        /** Suppressed by a cooldown. */
        public long cooledDown() {
            return suppressed - cases.snoozed - cases.quiet;
        }

        public Counts plus(Counts other) {
            return new Counts(
                    alerts + other.alerts,
                    suppressed + other.suppressed,
                    unrouted + other.unrouted,
                    duplicates + other.duplicates,
                    deadLettered + other.deadLettered,
                    cases.plus(other.cases));
        }
    }

    /**
     * What became of cases.
     *
     * @param snoozed alerts suppressed by a snooze
     * @param quiet alerts suppressed since only quiet rules hit
     * @param escalated alerts that were sent although their group cooled down
     * @param opened cases
     * @param expired cases that closed by themselves
     * @param actions on cases that were taken
     * @param refused actions that stand in the history as refused
     * @param repeated actions whose id had been taken
     * @param caseless actions on a case that there is not, or no more
     */
    public record CaseCounts(
            long snoozed,
            long quiet,
            long escalated,
            long opened,
            long expired,
            long actions,
            long refused,
            long repeated,
            long caseless) {
        public static final CaseCounts ZERO = new CaseCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);

        CaseCounts plus(CaseCounts other) {
            return new CaseCounts(
                    snoozed + other.snoozed,
                    quiet + other.quiet,
                    escalated + other.escalated,
                    opened + other.opened,
                    expired + other.expired,
                    actions + other.actions,
                    refused + other.refused,
                    repeated + other.repeated,
                    caseless + other.caseless);
        }
    }
}
