package dev.vigil.alerting;

import dev.vigil.event.Alert;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.Json;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of polled alerts: dropped as passed already (law 3), suppressed by a cooldown, or routed to the
 * endpoints that want them. Reads the outbox and changes nothing; the batch that it returns does, once accepted. So the
 * same records from the same positions give the same decisions again after a crash.
 *
 * <p>An alert that no endpoint wants is only counted: as nobody was told, it neither is suppressed nor suppresses others.
 * A suppressed alert does not prolong the cooldown. Called by one thread.
 */
public final class AlertIntake {
    private static final String STAGE = "alerting";

    private final Outbox outbox;
    private final Supplier<List<EndpointConfig>> endpoints;
    private final String alertsTopicId;

    public AlertIntake(Outbox outbox, List<EndpointConfig> endpoints, String alertsTopicId) {
        this(outbox, () -> endpoints, alertsTopicId);
    }

    /** @param endpoints as they are now; asked once for each batch */
    public AlertIntake(Outbox outbox, Supplier<List<EndpointConfig>> endpoints, String alertsTopicId) {
        this.outbox = outbox;
        this.endpoints = endpoints;
        this.alertsTopicId = alertsTopicId;
    }

    /** @param records in offset order within each partition */
    public IntakeBatch take(List<AlertRecord> records, long nowMs) {
        Draft draft = new Draft(nowMs);
        records.forEach(draft::take);
        return draft.batch();
    }

    /** One batch in the making; sees the outbox through what the batch has changed so far. */
    private final class Draft {
        private final long nowMs;
        private final List<EndpointConfig> current = endpoints.get();
        private final Map<LogPartition, Long> nextOffsets = new HashMap<>();
        private final Map<LogPartition, Long> passedOffsets = new HashMap<>();
        private final Map<Integer, Long> eventTimesUs = new HashMap<>();
        private final Map<CooldownMark.Group, CooldownMark> marks = new HashMap<>();
        private final List<IntakeBatch.RoutedAlert> routed = new ArrayList<>();
        private final List<OutgoingRecord> outgoing = new ArrayList<>();
        private long alertCount;
        private long suppressedCount;
        private long unroutedCount;
        private long duplicateCount;
        private long deadLetteredCount;

        Draft(long nowMs) {
            this.nowMs = nowMs;
        }

        void take(AlertRecord record) {
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
            route(alert, record.value());
        }

        private @Nullable Alert decode(AlertRecord record) {
            try {
                Alert alert = Json.decode(record.value(), Alert.class);
                if (alert != null && isComplete(alert)) {
                    return alert;
                }
            } catch (UncheckedIOException e) {
                // The same complaint as for JSON that is no alert; Jackson's message may quote the record.
            }
            deadLetteredCount++;
            String detail = "expected an alert as JSON in partition " + record.partition() + " at offset "
                    + record.offset() + " of the alerts topic";
            outgoing.add(
                    OutgoingRecord.of(new DeadLetter(DeadLetter.Reason.MALFORMED_JSON, STAGE, detail, null), record));
            return null;
        }

        private boolean isComplete(Alert alert) {
            return Stream.of(
                            alert.alertId(),
                            alert.account(),
                            alert.position(),
                            alert.policy(),
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
            if (receivers.isEmpty()) {
                unroutedCount++;
                return;
            }
            Optional<CooldownMark> mark = mark(CooldownMark.Group.of(alert));
            if (mark.isPresent() && mark.get().suppresses(alert)) {
                suppressedCount++;
                outgoing.add(OutgoingRecord.of(DeliveryReports.suppressed(alert, mark.get(), nowMs)));
                return;
            }
            if (alert.cooldownMs() > 0
                    && mark.map(m -> m.eventTimeUs() < alert.eventTimeUs()).orElse(true)) {
                CooldownMark newest = CooldownMark.of(alert);
                marks.put(newest.group(), newest);
            }
            routed.add(new IntakeBatch.RoutedAlert(json, receivers, nowMs));
        }

        private Optional<CooldownMark> mark(CooldownMark.Group group) {
            CooldownMark inBatch = marks.get(group);
            return inBatch != null ? Optional.of(inBatch) : outbox.mark(group);
        }

        IntakeBatch batch() {
            return new IntakeBatch(
                    nextOffsets,
                    passedOffsets,
                    eventTimesUs,
                    routed,
                    List.copyOf(marks.values()),
                    outgoing,
                    new IntakeBatch.Counts(
                            alertCount, suppressedCount, unroutedCount, duplicateCount, deadLetteredCount));
        }
    }
}
