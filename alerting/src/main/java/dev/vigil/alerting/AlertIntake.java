package dev.vigil.alerting;

import dev.vigil.alerting.cases.CaseActionReader;
import dev.vigil.alerting.cases.CaseBook;
import dev.vigil.alerting.cases.SuppressionConfig;
import dev.vigil.alerting.cases.SuppressionReason;
import dev.vigil.event.Alert;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.Json;
import dev.vigil.event.cases.CaseAction;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of polled alerts: dropped as passed already (law 3), or taken into a case and suppressed or routed to
 * the endpoints that want them; and of actions on cases. Reads the outbox and changes nothing; the batch that it returns does,
 * once accepted. So the same records from the same positions give the same decisions again after a crash.
 *
 * <p>An alert that no endpoint wants is only counted and joins its case: as nobody was told, it neither is suppressed nor
 * suppresses others. A suppressed alert does not prolong the cooldown. Called by one thread.
 */
public final class AlertIntake {
    private static final String STAGE = "alerting";

    private final Outbox outbox;
    private final Supplier<List<EndpointConfig>> endpoints;
    private final SuppressionConfig suppression;
    private final String alertsTopicId;
    private final String actionsTopicId;

    /** @param endpoints as they are now; asked once for each batch */
    public AlertIntake(
            Outbox outbox,
            Supplier<List<EndpointConfig>> endpoints,
            SuppressionConfig suppression,
            String alertsTopicId,
            String actionsTopicId) {
        this.outbox = outbox;
        this.endpoints = endpoints;
        this.suppression = suppression;
        this.alertsTopicId = alertsTopicId;
        this.actionsTopicId = actionsTopicId;
    }

    /** @param records in the order in which they are to be taken; of each partition in offset order */
    public IntakeBatch take(List<IntakeRecord> records, long nowMs) {
        Draft draft = new Draft(nowMs);
        for (IntakeRecord record : records) {
            switch (record.kind()) {
                case ALERT -> draft.takeAlert(record);
                case ACTION -> draft.takeAction(record);
            }
        }
        return draft.batch();
    }

    /** One batch in the making; sees the outbox through what the batch has changed so far. */
    private final class Draft {
        private final long nowMs;
        private final List<EndpointConfig> current = endpoints.get();
        private final CaseBook cases;
        private final Map<LogPartition, Long> nextOffsets = new HashMap<>();
        private final Map<LogPartition, Long> passedOffsets = new HashMap<>();
        private final Map<Integer, Long> eventTimesUs = new HashMap<>();
        private final Map<CooldownMark.Group, CooldownMark> marks = new HashMap<>();
        private final List<IntakeBatch.RoutedAlert> routed = new ArrayList<>();
        private final List<OutgoingRecord> outgoing = new ArrayList<>();
        private final Map<CaseBook.ActionEnd, Long> actionCounts = new EnumMap<>(CaseBook.ActionEnd.class);
        private final Map<SuppressionReason, Long> reasonCounts = new EnumMap<>(SuppressionReason.class);
        private long alertCount;
        private long escalatedCount;
        private long duplicateCount;
        private long deadLetteredCount;

        Draft(long nowMs) {
            this.nowMs = nowMs;
            this.cases = new CaseBook(outbox.cases(), suppression);
        }

        void takeAlert(IntakeRecord record) {
            nextOffsets.put(new LogPartition(alertsTopicId, record.partition()), record.offset() + 1);
            Alert alert = decode(record);
            if (alert == null) {
                return;
            }
            LogPartition source = LogPartition.of(alert.position());
            if (alert.position().offset() <= passedOffset(source)) {
                duplicateCount++;
                return;
            }
            passedOffsets.put(source, alert.position().offset());
            eventTimesUs.merge(source.partition(), alert.eventTimeUs(), Math::max);
            alertCount++;
            cases.advance(alert);
            route(alert, record.value());
        }

        void takeAction(IntakeRecord record) {
            nextOffsets.put(new LogPartition(actionsTopicId, record.partition()), record.offset() + 1);
            CaseAction action;
            try {
                action = CaseActionReader.read(record.value());
            } catch (IllegalArgumentException e) {
                setAside(record, DeadLetter.Reason.BAD_FIELD, e.getMessage());
                return;
            }
            CaseBook.ActionResult result = cases.take(action);
            actionCounts.merge(result.end(), 1L, Long::sum);
            result.labels().forEach(label -> outgoing.add(OutgoingRecord.of(label)));
        }

        private @Nullable Alert decode(IntakeRecord record) {
            try {
                Alert alert = Json.decode(record.value(), Alert.class);
                if (alert != null && isComplete(alert)) {
                    return alert;
                }
            } catch (UncheckedIOException e) {
                // The same complaint as for JSON that is no alert; Jackson's message may quote the record.
            }
            setAside(record, DeadLetter.Reason.MALFORMED_JSON, "expected an alert as JSON");
            return null;
        }

        private void setAside(IntakeRecord record, DeadLetter.Reason reason, @Nullable String problem) {
            deadLetteredCount++;
            String detail = problem + ", in partition " + record.partition() + " at offset " + record.offset()
                    + " of the " + record.kind().label() + "s' topic";
            outgoing.add(OutgoingRecord.of(new DeadLetter(reason, STAGE, detail, null), record));
        }

        private boolean isComplete(Alert alert) {
            return Stream.of(
                            alert.alertId(),
                            alert.eventId(),
                            alert.source(),
                            alert.account(),
                            alert.position(),
                            alert.policy(),
                            alert.currency(),
                            alert.groupBy(),
                            alert.decision())
                    .noneMatch(Objects::isNull);
        }

        private long passedOffset(LogPartition source) {
            Long inBatch = passedOffsets.get(source);
            if (inBatch != null) {
                return inBatch;
            }
            OptionalLong stored = outbox.passedOffset(source);
            return stored.isPresent() ? stored.getAsLong() : -1;
        }

        private void route(Alert alert, byte[] json) {
            List<String> receivers = current.stream()
                    .filter(endpoint -> endpoint.filter().wants(alert))
                    .map(EndpointConfig::name)
                    .toList();
            Optional<CooldownMark> mark = mark(CooldownMark.Group.of(alert));
            String coolingAfter = mark.filter(m -> m.suppresses(alert))
                    .map(CooldownMark::alertId)
                    .orElse(null);
            CaseBook.Joined joined = cases.take(alert, !receivers.isEmpty(), coolingAfter);
            SuppressionReason reason = joined.verdict().reason();
            if (reason != null) {
                reasonCounts.merge(reason, 1L, Long::sum);
                if (reason != SuppressionReason.UNROUTED) {
                    outgoing.add(OutgoingRecord.of(
                            DeliveryReports.suppressed(alert, joined.verdict().detail(), nowMs)));
                }
                return;
            }
            if (joined.verdict().escalation()) {
                escalatedCount++;
            }
            if (alert.cooldownMs() > 0
                    && mark.map(m -> m.eventTimeUs() < alert.eventTimeUs()).orElse(true)) {
                CooldownMark newest = CooldownMark.of(alert);
                marks.put(newest.group(), newest);
            }
            routed.add(new IntakeBatch.RoutedAlert(
                    json,
                    receivers,
                    nowMs,
                    joined.caseId(),
                    joined.verdict().escalation(),
                    alert.account(),
                    inOrder()));
        }

        private Set<String> inOrder() {
            return current.stream()
                    .filter(endpoint -> endpoint.order() == DeliveryOrder.ACCOUNT)
                    .map(EndpointConfig::name)
                    .collect(Collectors.toSet());
        }

        /** One that has expired is none, whether it was removed already or not. */
        private Optional<CooldownMark> mark(CooldownMark.Group group) {
            CooldownMark inBatch = marks.get(group);
            Optional<CooldownMark> mark = inBatch != null ? Optional.of(inBatch) : outbox.mark(group);
            return mark.filter(found -> found.expiresAtUs() > cases.eventTimeUs(found.partition()));
        }

        IntakeBatch batch() {
            return new IntakeBatch(
                    nextOffsets,
                    passedOffsets,
                    eventTimesUs,
                    routed,
                    List.copyOf(marks.values()),
                    outgoing,
                    cases.changes(),
                    counts());
        }

        private IntakeBatch.Counts counts() {
            long snoozed = count(SuppressionReason.SNOOZE);
            long quiet = count(SuppressionReason.QUIET);
            return new IntakeBatch.Counts(
                    alertCount,
                    count(SuppressionReason.COOLDOWN) + snoozed + quiet,
                    count(SuppressionReason.UNROUTED),
                    duplicateCount,
                    deadLetteredCount,
                    new IntakeBatch.CaseCounts(
                            snoozed,
                            quiet,
                            escalatedCount,
                            cases.openedCount(),
                            cases.expiredCount(),
                            count(CaseBook.ActionEnd.TAKEN),
                            count(CaseBook.ActionEnd.REFUSED),
                            count(CaseBook.ActionEnd.REPEATED),
                            count(CaseBook.ActionEnd.NO_CASE)));
        }

        private long count(SuppressionReason reason) {
            return reasonCounts.getOrDefault(reason, 0L);
        }

        private long count(CaseBook.ActionEnd end) {
            return actionCounts.getOrDefault(end, 0L);
        }
    }
}
