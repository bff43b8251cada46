package dev.vigil.scoring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.config.ConfigException;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventTimes;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import dev.vigil.scoring.ScoringPlan.EventPlan;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.PolicyReader;
import dev.vigil.scoring.policy.SummaryDeclaration;
import dev.vigil.scoring.policy.TimeRules;
import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.state.EntityStates;
import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.StateStore;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.scoring.state.TaskState.End;
import dev.vigil.scoring.state.TimerIndex;
import java.io.IOException;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Scores one partition of the log: decode, deduplicate, event time, features, rules, decision. What comes out depends on
 * the records that went in and on nothing else.
 *
 * <p>One thread. A runner hands in records in log order with {@link #process}; after some of them it takes the step's
 * changes with {@link #takeStep}, and has them written with {@link #write} when what was emitted is safe. After a restart on the same store it goes on at {@link #nextOffset} and emits what had not been
 * written then once more, byte for byte.
 */
public final class PartitionScorer {
    private static final long US_PER_MS = 1_000;

    /**
     * How many timers a record may fire. More than it can set, so that all fire in the end; few, so that a jump of the
     * watermark over a million accounts costs each record a little and none a lot.
     */
    private static final int TIMERS_PER_RECORD = 4;

    /** How many records' worth of timers a tick fires: it comes seldom, and where nothing else does. */
    private static final int RECORDS_PER_TICK = 1_000;

    /** How many of its account's blocks an event may take away. More than it can add; few, for the same reason. */
    private static final int BLOCKS_PER_EVENT = 4;

    private final int partition;
    private final int timersPerRecord;
    private final StateStore store;
    private final TaskState task;
    private final EntityStates entities;
    private final IdleAccounts idle;
    private final Summaries summaries;
    private @Nullable ScoringPlan plan;
    private @Nullable ScoringStep step;
    private @Nullable Map<String, Long> completeSince;
    private int completeSinceRevision = -1;
    private boolean schemaIsDue;
    private long stepsTaken;
    private long stepsWritten;

    /**
     * Takes up the state that the store holds.
     *
     * @param topicId id of the topic whose partition this is
     * @param maxLiveEvents how many remembered events may be kept as objects; more are read from the store again
     * @param firstPolicy in force before the log's first record, for a log that is older than its first activation;
     *     null: none. Looked at only where the store is empty
     * @throws dev.vigil.scoring.state.StateFormatException if the store holds what this version cannot read
     * @throws TopicChangedException if the store's position is in another topic, one of the same name that was deleted
     */
    public PartitionScorer(
            String topicId, int partition, StateStore store, long maxLiveEvents, @Nullable Policy firstPolicy) {
        this(topicId, partition, store, maxLiveEvents, firstPolicy, TIMERS_PER_RECORD);
    }

    PartitionScorer(
            String topicId,
            int partition,
            StateStore store,
            long maxLiveEvents,
            @Nullable Policy firstPolicy,
            int timersPerRecord) {
        this.timersPerRecord = timersPerRecord;
        this.partition = partition;
        this.store = store;
        this.task = TaskState.load(store);
        this.entities = new EntityStates(store, task.layouts(), maxLiveEvents);
        this.idle = new IdleAccounts(entities, new TimerIndex(store, TimerIndex.IDLE));
        this.summaries = new Summaries(topicId, partition, task, entities, new TimerIndex(store, TimerIndex.SUMMARY));
        if (!task.topicId().isEmpty() && !task.topicId().equals(topicId)) {
            throw new TopicChangedException(task.topicId(), topicId, partition, task.nextOffset());
        }
        task.setTopicId(topicId);
        String policyText = task.policyText();
        if (policyText != null) {
            use(PolicyReader.read("active policy", policyText));
            Activation.adopt(task, requirePlan().policy());
        } else if (firstPolicy != null && task.nextOffset() == 0) {
            Activation.first(task, firstPolicy);
            begin(firstPolicy);
            schemaIsDue = true;
        }
    }

    /** With no policy in force before the log's first record. */
    public PartitionScorer(String topicId, int partition, StateStore store, long maxLiveEvents) {
        this(topicId, partition, store, maxLiveEvents, null);
    }

    private void begin(Policy policy) {
        task.startSummaries(policy.summaries().stream()
                .collect(Collectors.toMap(SummaryDeclaration::name, SummaryDeclaration::text)));
        use(policy);
        task.setPolicyText(policy.text());
    }

    private void use(Policy policy) {
        plan = new ScoringPlan(policy, task.layouts());
        step = new ScoringStep(plan, task.topicId(), partition);
        summaries.use(plan);
    }

    /** Offset of the first record that the state does not know. */
    public long nextOffset() {
        return task.nextOffset();
    }

    /** Event time, µs; {@link TaskState#NO_WATERMARK} before the first event. */
    public long watermarkUs() {
        return task.watermarkUs();
    }

    /** Counts since the log's start; read on the scorer's thread. */
    public TaskState counts() {
        return task;
    }

    /** The active policy; null before the first activation. */
    public @Nullable Policy policy() {
        return plan == null ? null : plan.policy();
    }

    /**
     * Since which event time each feature that reads a window is complete, µs, in the policy's order: the value for an event
     * at or after that, unless it is late, is the one that the whole log would give. Null before the first event and before
     * the first policy.
     */
    public @Nullable Map<String, Long> completeSinceUs() {
        if (plan != null && completeSinceRevision != task.known().revision()) {
            completeSince = Completeness.sinceUs(plan, task.known());
            completeSinceRevision = task.known().revision();
        }
        return completeSince;
    }

    /**
     * Event time, µs, from which on {@code late: update} enters late events; what earlier ones would have to see was forgotten.
     * Null where late events are not entered, or nothing was forgotten.
     */
    public @Nullable Long lateEntersFromUs() {
        boolean enters = plan != null && plan.policy().time().late() == TimeRules.LatePolicy.UPDATE;
        return enters && task.forgottenUs() != Long.MIN_VALUE
                ? task.forgottenUs() + requirePlan().longestLookBackUs()
                : null;
    }

    private ScoringPlan requirePlan() {
        return java.util.Objects.requireNonNull(plan);
    }

    /** Processes the next record. Offsets may leave gaps, as compaction and transactions do, and must rise. */
    public void process(LogRecord record, ScoringOutbox outbox) {
        if (record.offset() < task.nextOffset()) {
            throw new IllegalArgumentException(
                    "offset " + record.offset() + " comes after " + (task.nextOffset() - 1) + " was processed");
        }
        if (schemaIsDue) {
            schemaIsDue = false;
            outbox.schema(java.util.Objects.requireNonNull(step).encodeSchema(record.offset(), completeSinceUs()));
        }
        End end;
        try {
            end = dispatch(record, outbox);
        } catch (Rejection rejection) {
            outbox.deadLetter(record, rejection.reason, rejection.detail);
            end = End.DEAD_LETTERED;
        }
        fireTimers(
                record,
                outbox,
                EventTypes.TICK.equals(record.type()) ? timersPerRecord * RECORDS_PER_TICK : timersPerRecord);
        task.passed(record.offset(), end);
    }

    private void fireTimers(LogRecord record, ScoringOutbox outbox, int maxTimers) {
        ScoringPlan active = plan;
        if (active != null) {
            summaries.emitDue(record.offset(), outbox, maxTimers);
            task.forget(active.rememberedUs());
            idle.leave(summaries.mayLeaveUs(), maxTimers);
        }
    }

    /** Whether timers wait that the watermark has passed, so that more records would fire more. */
    public boolean hasDueTimers() {
        return plan != null && (summaries.isDue() || idle.isDue(summaries.mayLeaveUs()));
    }

    private End dispatch(LogRecord record, ScoringOutbox outbox) throws Rejection {
        PlainReader plain = record.type() != null || plan == null ? null : plan.plain();
        if (plain != null) {
            plain.read(record);
        }
        String type = record.type();
        if (type == null) {
            throw new Rejection(Reason.MALFORMED_ENVELOPE, "ce_type: missing");
        }
        if (!EventTypes.isReserved(type)) {
            return event(record, type, outbox);
        }
        switch (type) {
            case EventTypes.POLICY -> activate(record, outbox);
            case EventTypes.TICK -> tick(record);
            case EventTypes.LABEL -> {
                label(record);
                return End.LABEL;
            }
            default -> {
                if (type.startsWith(EventTypes.REFERENCE_PREFIX)) {
                    reference(record, type.substring(EventTypes.REFERENCE_PREFIX.length()));
                    return End.REFERENCE;
                }
                throw new Rejection(Reason.UNKNOWN_CONTROL, "ce_type: no control record is called so");
            }
        }
        return End.CONTROL;
    }

    private End event(LogRecord record, String type, ScoringOutbox outbox) throws Rejection {
        ScoringPlan active = plan;
        ScoringStep scoring = step;
        if (active == null || scoring == null) {
            throw new Rejection(Reason.NO_POLICY, "no policy was active when the event was appended");
        }
        EventPlan eventPlan = active.event(type);
        if (eventPlan == null) {
            throw new Rejection(
                    Reason.UNKNOWN_EVENT_TYPE,
                    "ce_type: policy " + active.policy().name() + " declares no such type");
        }
        StoredEvent event = decode(record, eventPlan);
        TimeRules time = active.policy().time();
        if (event.timeUs() > record.ingestTimeMs() * US_PER_MS + time.maxFutureSkewUs()) {
            throw new Rejection(Reason.FUTURE_EVENT_TIME, "ce_time: more than max_future_skew after ingest time");
        }
        EntityState state = entities.get(account(record));
        StoredEvent known = state.timeline().find(event);
        if (known != null && known.timeUs() > task.forgottenUs()) {
            return End.DUPLICATE;
        }
        boolean late = !record.isBackfill() && isLate(event, time);
        if (late && !canBeEntered(event, active)) {
            if (time.late() != TimeRules.LatePolicy.DROP) {
                outbox.late(record);
            }
            return End.LATE;
        }
        task.known().accepted(event.timeUs());
        task.saw(event.timeUs(), time.outOfOrdernessUs());
        idle.enters(state, event);
        summaries.enters(state, event);
        entities.changed(state);
        state.timeline().prune(summaries.mayLeaveUs(), BLOCKS_PER_EVENT);
        Corrections corrections =
                late ? Corrections.before(event, record.ingestTimeMs(), state, active, scoring) : null;
        scoring.score(state, event, eventPlan, record.ingestTimeMs(), record.isBackfill());
        outbox.scored(scoring);
        if (scoring.alerts()) {
            task.countAlert();
            outbox.alert(state.entity(), scoring.encodeAlert());
        }
        if (corrections != null) {
            task.countCorrections(corrections.emit(outbox));
        }
        summaries.emitCorrected(state, record.offset(), outbox);
        return End.SCORED;
    }

    private boolean isLate(StoredEvent event, TimeRules time) {
        return task.watermarkUs() != TaskState.NO_WATERMARK
                && event.timeUs() < task.watermarkUs() - time.allowedLatenessUs();
    }

    /** Whether all is remembered that its score, and the scores that it changes, must see. */
    private boolean canBeEntered(StoredEvent late, ScoringPlan active) {
        return active.policy().time().late() == TimeRules.LatePolicy.UPDATE
                && late.timeUs() - active.longestLookBackUs() >= task.forgottenUs();
    }

    private StoredEvent decode(LogRecord record, EventPlan eventPlan) throws Rejection {
        return record.isFlat() ? decodeFlat(record, eventPlan) : decodeData(record, eventPlan);
    }

    /** Fields and envelope in one pass. */
    private StoredEvent decodeFlat(LogRecord record, EventPlan eventPlan) throws Rejection {
        PlainReader plain = java.util.Objects.requireNonNull(
                java.util.Objects.requireNonNull(plan).plain());
        StoredEvent event = new StoredEvent(eventPlan.layout(), "", "", 0, record.offset());
        eventPlan.decoder().decode(data(record), record.account(), event, plain.envelope());
        plain.end(record, record.type());
        event.identify(source(record), id(record), timeUs(record));
        account(record);
        return event;
    }

    private static String id(LogRecord record) throws Rejection {
        return identity(record.id());
    }

    private static String source(LogRecord record) throws Rejection {
        return identity(record.source());
    }

    private static String identity(@Nullable String part) throws Rejection {
        if (part == null || part.isEmpty()) {
            throw new Rejection(Reason.MISSING_ID, "ce_id and ce_source: both are needed, one is missing");
        }
        return part;
    }

    private static byte[] data(LogRecord record) throws Rejection {
        byte[] data = record.data();
        if (data == null || data.length == 0) {
            throw new Rejection(Reason.MALFORMED_JSON, "expected a JSON object as data, found nothing");
        }
        return data;
    }

    private static StoredEvent decodeData(LogRecord record, EventPlan eventPlan) throws Rejection {
        String id = id(record);
        String source = source(record);
        String account = account(record);
        StoredEvent event = new StoredEvent(eventPlan.layout(), source, id, timeUs(record), record.offset());
        eventPlan.decoder().decode(data(record), account, event, null);
        return event;
    }

    private static String account(LogRecord record) throws Rejection {
        String account = record.account();
        if (account.isEmpty()) {
            throw new Rejection(Reason.MISSING_ACCOUNT, "ce_subject: missing, and the record has no key");
        }
        return account;
    }

    private static long timeUs(LogRecord record) throws Rejection {
        Long known = record.timeUs();
        if (known != null) {
            return known;
        }
        String time = record.time();
        if (time == null || time.isEmpty()) {
            throw new Rejection(Reason.MISSING_TIME, "ce_time: missing");
        }
        try {
            return EventTimes.parse(time);
        } catch (DateTimeParseException e) {
            throw new Rejection(Reason.MISSING_TIME, "ce_time: expected an RFC 3339 time, found something else");
        }
    }

    private void tick(LogRecord record) throws Rejection {
        ScoringPlan active = plan;
        if (active != null) {
            TimeRules time = active.policy().time();
            long tickUs = Math.min(timeUs(record), record.ingestTimeMs() * US_PER_MS + time.maxFutureSkewUs());
            task.advanceWatermark(tickUs - time.outOfOrdernessUs());
        }
    }

    private void reference(LogRecord record, String name) throws Rejection {
        ScoringPlan active = plan;
        if (active == null) {
            throw new Rejection(Reason.NO_POLICY, "no policy was active when the row was appended");
        }
        EventPlan reference = active.reference(name);
        if (reference == null) {
            return;
        }
        EntityState state = entities.get(account(record));
        byte[] data = record.value();
        if (data == null || data.length == 0) {
            state.removeReference(name);
        } else {
            StoredEvent row = new StoredEvent(reference.layout(), "-", "-", 0, record.offset());
            reference.decoder().decode(data, state.entity(), row, null);
            state.setReference(name, row);
        }
        entities.changed(state);
    }

    private void label(LogRecord record) throws Rejection {
        ScoringPlan active = plan;
        if (active == null) {
            throw new Rejection(Reason.NO_POLICY, "no policy was active when the label was appended");
        }
        JsonNode data = json(record);
        String source = data.path("event_source").asText("");
        String id = data.path("event_id").asText("");
        String label = EventDecoder.wellFormed(data.path("label").asText(""));
        if (source.isEmpty()
                || id.isEmpty()
                || label.isEmpty()
                || !data.path("value").isBoolean()) {
            throw new Rejection(
                    Reason.BAD_FIELD, "expected event_source, event_id and label as texts, value as true or false");
        }
        EntityState state = entities.get(account(record));
        StoredEvent probe = new StoredEvent(anyLayout(active), source, id, 0, 0);
        StoredEvent event = state.timeline().find(probe);
        if (event != null
                && event.timeUs() > task.forgottenUs()
                && state.timeline().label(event, label, data.path("value").booleanValue())) {
            entities.changed(state);
        }
    }

    private static dev.vigil.scoring.state.EventLayout anyLayout(ScoringPlan active) {
        String type = active.policy().events().get(0).type();
        return java.util.Objects.requireNonNull(active.event(type)).layout();
    }

    private static JsonNode json(LogRecord record) throws Rejection {
        byte[] data = record.value();
        try {
            JsonNode node = data == null ? null : Json.mapper().readTree(data);
            if (node == null || !node.isObject()) {
                throw new Rejection(Reason.MALFORMED_JSON, "expected a JSON object as data");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw new Rejection(Reason.MALFORMED_JSON, "data is not valid JSON");
        } catch (IOException e) {
            throw new IllegalStateException("reading from memory failed", e);
        }
    }

    private void activate(LogRecord record, ScoringOutbox outbox) throws Rejection {
        String text = json(record).path("policy").asText("");
        Policy policy;
        try {
            policy = Policies.check("policy", text);
            requireSameCurrency(policy);
        } catch (ConfigException e) {
            throw new Rejection(Reason.BAD_POLICY, String.valueOf(e.getMessage()));
        }
        if (plan != null) {
            task.pastPolicies().leaving(completeSinceUs());
            task.known().leaving(task.latestUs(), task.forgottenUs());
        }
        Activation.activated(task, policy, record);
        begin(policy);
        entities.moveToCurrentLayouts(task.layouts());
        outbox.schema(java.util.Objects.requireNonNull(step).encodeSchema(record.offset(), completeSinceUs()));
    }

    /** Amounts are remembered in minor units; in another currency they would mean something else. */
    private void requireSameCurrency(Policy next) {
        String active = plan == null ? null : plan.policy().currency().currency();
        String found = next.currency().currency();
        if (active != null && !active.equals(found)) {
            throw new ConfigException("policy: currency: expected " + active
                    + " as until now, since remembered amounts are in it, found " + found);
        }
    }

    /**
     * Looks up an event that was scored, to be explained. Changes nothing.
     *
     * @param source of the event; null if the id is enough
     * @throws dev.vigil.event.CannotExplainException if the state does not hold it
     */
    public ScoredBefore look(String account, String id, @Nullable String source) {
        return lookup().find(account, id, source);
    }

    /** The same by the event's offset. */
    public ScoredBefore look(String account, long offset) {
        return lookup().at(account, offset);
    }

    private EventLookup lookup() {
        return new EventLookup(task, entities, partition, completeSinceUs());
    }

    /**
     * Ends a step: everything that changed since the last one, to be written to the store as one batch once what was
     * emitted is safe. Several steps may wait; they are written in the order in which they were taken.
     */
    public StateBatch takeStep() {
        StateBatch batch = new StateBatch();
        entities.collect(batch, ++stepsTaken);
        idle.collect(batch);
        summaries.collect(batch);
        task.collect(batch);
        return batch;
    }

    /** Writes a step to the store; what it holds may then leave memory. */
    public void write(StateBatch batch) {
        store.write(batch);
        entities.trim(++stepsWritten);
        idle.written();
        summaries.written();
    }
}
