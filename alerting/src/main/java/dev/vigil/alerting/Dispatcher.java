package dev.vigil.alerting;

import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import dev.vigil.service.EpochClock;
import dev.vigil.service.status.AlertingStatus.EndpointStatus;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what is due and records what comes of it. One thread calls {@link #doWork}, which never waits for an endpoint:
 * answers come back through a queue that holds at most one per attempt under way. Deliveries are read from the outbox in
 * due order, at most {@code maxInFlight} at a time and endpoint, so memory does not grow with what is pending. An endpoint
 * that takes nothing is only tried now and then ({@link CircuitBreaker}), and after it is back no faster than its limits.
 *
 * <p>Order: an endpoint gets alerts roughly as they came; attempts overlap and retries come later, so no order is
 * promised, unless the endpoint asks for that of each account: then the outbox gives the next only when the one before is over. Endpoints may come, change and go meanwhile: each call works with those that there are when it begins. After a crash, attempts that were under way are made again with the same id.
 */
public final class Dispatcher {
    private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);
    private static final long MAX_REST_MS = 5_000;
    /** More attempts are never under way: the largest limits of all endpoints that there can be. */
    private static final int ENDED_MAX = 10_000_000;
    /** So many deliveries of a deleted endpoint are given up before the others have their turn. */
    private static final int GIVEN_UP_AT_ONCE = 200;

    private final Outbox outbox;
    private final Transport transport;
    private final RetryConfig retry;
    private final EpochClock clock;
    private final RandomGenerator random;
    private final LongConsumer acceptedAfterMs;
    private final WakeUp wakeUp;
    private final Supplier<EndpointSet> endpoints;
    private final Map<String, EndpointLane> lanes = new ConcurrentSkipListMap<>();
    /** Of deleted endpoints that deliveries still wait for, until these are given up. */
    private final Map<String, Leaving> leaving = new ConcurrentSkipListMap<>();

    private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>(ENDED_MAX);
    private @Nullable EndpointSet known;

    /** @param lane absent where the endpoint was deleted before this process began */
    private record Leaving(@Nullable EndpointLane lane) {
        List<PendingDelivery> notUnderWay(List<PendingDelivery> deliveries) {
            return lane == null ? deliveries : lane.notUnderWay(deliveries);
        }
    }

    private record Ended(EndpointLane lane, PendingDelivery delivery, Alert alert, long attemptedAtMs, Answer answer) {}

    /**
     * @param acceptedAfterMs gets, for each delivery, the time from the event's ingest to the receiver's acceptance
     * @param wakeUp signalled when an answer is there; whoever fills the outbox signals it too
     */
    public Dispatcher(
            Outbox outbox,
            Transport transport,
            AlertingConfig config,
            EpochClock clock,
            RandomGenerator random,
            LongConsumer acceptedAfterMs,
            WakeUp wakeUp) {
        this(outbox, transport, fixed(config.endpoints()), config.retry(), clock, random, acceptedAfterMs, wakeUp);
    }

    private static Supplier<EndpointSet> fixed(List<EndpointConfig> endpoints) {
        EndpointSet set = EndpointSet.of(endpoints);
        return () -> set;
    }

    /**
     * As the other.
     *
     * @param endpoints as they are now; another object whenever one is not as it was. The thread that works is the first to tell the
     *     transport of a change
     */
    public Dispatcher(
            Outbox outbox,
            Transport transport,
            Supplier<EndpointSet> endpoints,
            RetryConfig retry,
            EpochClock clock,
            RandomGenerator random,
            LongConsumer acceptedAfterMs,
            WakeUp wakeUp) {
        this.outbox = outbox;
        this.transport = transport;
        this.endpoints = endpoints;
        this.retry = retry;
        this.clock = clock;
        this.random = random;
        this.acceptedAfterMs = acceptedAfterMs;
        this.wakeUp = wakeUp;
        adoptChanges();
    }

    private void adoptChanges() {
        EndpointSet current = endpoints.get();
        if (current == known) {
            return;
        }
        known = current;
        for (EndpointConfig endpoint : current.endpoints()) {
            transport.use(endpoint);
            leaving.remove(endpoint.name());
            EndpointLane lane = lanes.get(endpoint.name());
            if (lane == null) {
                lane = new EndpointLane(endpoint, isStillDisabled(endpoint), random);
                lanes.put(endpoint.name(), lane);
            } else if (!lane.config().equals(endpoint)) {
                lane.use(endpoint, isStillDisabled(endpoint));
            }
            lane.setPaused(current.paused().contains(endpoint.name()));
        }
        removeOthers(current);
        OutboxCounts counts = outbox.counts();
        for (String name : current.deleted()) {
            if (!lanes.containsKey(name) && counts.endpoint(name).pending() > 0) {
                leaving.putIfAbsent(name, new Leaving(null));
            }
        }
    }

    private void removeOthers(EndpointSet current) {
        Set<String> names = new TreeSet<>();
        current.endpoints().forEach(endpoint -> names.add(endpoint.name()));
        for (Iterator<Map.Entry<String, EndpointLane>> all = lanes.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, EndpointLane> entry = all.next();
            if (!names.contains(entry.getKey())) {
                all.remove();
                // Attempts under way are the last, whatever comes of them.
                entry.getValue().disable();
                transport.forget(entry.getKey());
                leaving.put(entry.getKey(), new Leaving(entry.getValue()));
            }
        }
    }

    private boolean isStillDisabled(EndpointConfig endpoint) {
        String fingerprint = endpoint.url().fingerprint();
        boolean same = outbox.disabled(endpoint.name())
                .filter(disabled -> disabled.urlFingerprint().equals(fingerprint))
                .isPresent();
        if (!same) {
            outbox.enable(endpoint.name());
        }
        return same;
    }

    /**
     * Records the answers that are there and starts the attempts that are due.
     *
     * @return how long nothing will be due, ms; until a signal
     */
    public long doWork() {
        recordAnswers();
        adoptChanges();
        long restMs = MAX_REST_MS;
        for (Iterator<String> names = leaving.keySet().iterator(); names.hasNext(); ) {
            String name = names.next();
            if (giveUpSome(name, Objects.requireNonNull(leaving.get(name)))) {
                restMs = 0;
            } else if (outbox.counts().endpoint(name).pending() == 0) {
                names.remove();
            }
        }
        for (EndpointLane lane : lanes.values()) {
            restMs = Math.min(restMs, startDue(lane));
        }
        return restMs;
    }

    /** Records the answers that are there and starts nothing. */
    public void recordAnswers() {
        for (Ended next = ended.poll(); next != null; next = ended.poll()) {
            record(next);
        }
    }

    /** Attempts under way or not yet recorded. Called by the thread that works. */
    public int inFlightCount() {
        int leavingCount = leaving.values().stream()
                .map(Leaving::lane)
                .filter(Objects::nonNull)
                .mapToInt(EndpointLane::inFlightCount)
                .sum();
        return leavingCount
                + lanes.values().stream().mapToInt(EndpointLane::inFlightCount).sum();
    }

    /** @return whether there was anything */
    private boolean giveUpSome(String name, Leaving endpoint) {
        List<PendingDelivery> waiting =
                endpoint.notUnderWay(outbox.due(name, Long.MAX_VALUE, GIVEN_UP_AT_ONCE + inFlight(endpoint))
                        .due());
        waiting.forEach(delivery -> abandon(delivery, "the endpoint was deleted"));
        return !waiting.isEmpty();
    }

    private static int inFlight(Leaving endpoint) {
        return endpoint.lane() == null ? 0 : endpoint.lane().inFlightCount();
    }

    private long startDue(EndpointLane lane) {
        if (lane.isPaused()) {
            return MAX_REST_MS;
        }
        long nowMs = clock.epochMs();
        if (!lane.isDisabled() && (lane.pauseLeftMs(nowMs) > 0 || lane.room(nowMs) == 0)) {
            return restWithoutRoom(lane, nowMs);
        }
        DueDeliveries due =
                outbox.due(lane.config().name(), nowMs, lane.config().maxInFlight());
        List<PendingDelivery> resting = lane.notUnderWay(due.due());
        if (lane.isDisabled()) {
            resting.forEach(delivery -> abandon(delivery, "the endpoint is disabled since it answered 410"));
            return resting.isEmpty() ? restUntil(due, nowMs) : 0;
        }
        if (lane.isFailing() && abandonTooOld(resting, nowMs)) {
            return 0;
        }
        int begun = Math.min(resting.size(), lane.room(nowMs));
        resting.subList(0, begun).forEach(delivery -> start(lane, delivery));
        return begun < resting.size() ? restWithoutRoom(lane, nowMs) : restUntil(due, nowMs);
    }

    /** Until its limits or its breaker allow another attempt; where that takes an answer, this will be woken. */
    private static long restWithoutRoom(EndpointLane lane, long nowMs) {
        long waitMs = lane.waitMs(nowMs);
        return waitMs > 0 ? waitMs : MAX_REST_MS;
    }

    /** Of an endpoint that is only tried now and then, most deliveries wait for their first attempt, but not for ever. */
    private boolean abandonTooOld(List<PendingDelivery> due, long nowMs) {
        List<PendingDelivery> tooOld = due.stream()
                .filter(delivery -> delivery.attemptsMade() == 0
                        && nowMs - waitingSinceMs(delivery)
                                > retry.giveUpAfter().toMillis())
                .toList();
        tooOld.forEach(delivery -> abandon(delivery, "the endpoint took nothing for as long as alerts are kept"));
        return !tooOld.isEmpty();
    }

    private static long waitingSinceMs(PendingDelivery delivery) {
        return delivery.firstAttemptAtMs() == 0 ? delivery.dueAtMs() : delivery.firstAttemptAtMs();
    }

    private static long restUntil(DueDeliveries due, long nowMs) {
        return due.nextDueAtMs().isPresent() ? Math.max(1, due.nextDueAtMs().getAsLong() - nowMs) : MAX_REST_MS;
    }

    private void start(EndpointLane lane, PendingDelivery delivery) {
        StoredAlert stored = outbox.alert(delivery.alertSeq());
        Alert alert = Json.decode(stored.json(), Alert.class);
        if (outbox.finishIfSettled(delivery, alert.alertId())) {
            return;
        }
        AlertMessage message = AlertMessage.of(
                alert, stored, delivery.attemptsMade() + 1, outbox.isRedelivery(alert.alertId(), delivery.endpoint()));
        long attemptedAtMs = clock.epochMs();
        lane.started(delivery);
        transport.send(delivery.endpoint(), message, answer -> {
            ended.add(new Ended(lane, delivery, alert, attemptedAtMs, answer));
            wakeUp.signal();
        });
    }

    private void record(Ended attempt) {
        EndpointLane lane = attempt.lane;
        PendingDelivery delivery = attempt.delivery;
        Answer answer = attempt.answer;
        long nowMs = clock.epochMs();
        lane.ended(delivery, answer, nowMs);
        if (answer.accepted()) {
            acceptedAfterMs.accept(nowMs - attempt.alert.ingestTimeMs());
            outbox.finish(delivery, report(attempt, Delivery.Outcome.DELIVERED));
            return;
        }
        if (answer.asksForPause()) {
            lane.pauseUntil(nowMs
                    + Math.min(answer.retryAfterMs().getAsLong(), retry.max().toMillis()));
        }
        if (answer.gone() && !lane.isDisabled()) {
            disable(lane, nowMs);
        }
        PendingDelivery next = next(attempt, nowMs);
        boolean another = !lane.isDisabled()
                && next.dueAtMs() - next.firstAttemptAtMs()
                        <= retry.giveUpAfter().toMillis();
        if (another) {
            outbox.reschedule(delivery, next, report(attempt, Delivery.Outcome.FAILED));
            log.debug("endpoint {}: attempt {}: {}", delivery.endpoint(), next.attemptsMade(), answer.detail());
        } else {
            outbox.finish(delivery, report(attempt, Delivery.Outcome.GIVEN_UP));
            log.warn(
                    "endpoint {}: alert {} given up: {}",
                    delivery.endpoint(),
                    attempt.alert.alertId(),
                    answer.detail());
        }
    }

    private PendingDelivery next(Ended attempt, long nowMs) {
        PendingDelivery delivery = attempt.delivery;
        int attemptsMade = delivery.attemptsMade() + 1;
        long askedForMs =
                Math.min(attempt.answer.retryAfterMs().orElse(0), retry.max().toMillis());
        long delayMs = Math.max(retry.delayMs(attemptsMade, random), askedForMs);
        long firstAttemptAtMs = delivery.firstAttemptAtMs() == 0 ? attempt.attemptedAtMs : delivery.firstAttemptAtMs();
        return new PendingDelivery(
                delivery.endpoint(), delivery.alertSeq(), nowMs + delayMs, attemptsMade, firstAttemptAtMs);
    }

    private void disable(EndpointLane lane, long nowMs) {
        EndpointConfig endpoint = lane.config();
        outbox.disable(new DisabledEndpoint(endpoint.name(), endpoint.url().fingerprint(), nowMs));
        lane.disable();
        log.warn("endpoint {}: answered 410, gets nothing more until its URL changes", endpoint.name());
    }

    /** Gives it up without an attempt. */
    private void abandon(PendingDelivery delivery, String why) {
        Alert alert = Json.decode(outbox.alert(delivery.alertSeq()).json(), Alert.class);
        outbox.finish(delivery, DeliveryReports.abandoned(alert, delivery, why, clock.epochMs()));
    }

    private static Delivery report(Ended attempt, Delivery.Outcome outcome) {
        return DeliveryReports.attempted(
                attempt.alert, attempt.delivery, outcome, attempt.answer, attempt.attemptedAtMs);
    }

    /** Every configured endpoint, and those that are configured no more but still have deliveries. From any thread. */
    public List<EndpointStatus> endpoints() {
        OutboxCounts counts = outbox.counts();
        long nowMs = clock.epochMs();
        Set<String> names = new TreeSet<>(lanes.keySet());
        counts.endpoints().forEach((name, count) -> {
            if (count.pending() > 0) {
                names.add(name);
            }
        });
        List<EndpointStatus> all = new ArrayList<>();
        for (String name : names) {
            @Nullable EndpointLane lane = lanes.get(name);
            OutboxCounts.EndpointCounts count = counts.endpoint(name);
            all.add(new EndpointStatus(
                    name,
                    lane == null ? stateWithoutLane(name) : lane.state(nowMs),
                    count.delivered(),
                    count.failedAttempts(),
                    count.pending(),
                    lane == null ? problemWithoutLane(name) : lane.lastProblem()));
        }
        return all;
    }

    private String stateWithoutLane(String name) {
        return leaving.containsKey(name) ? "deleted" : "not configured";
    }

    private String problemWithoutLane(String name) {
        return leaving.containsKey(name)
                ? "deliveries that waited are being given up"
                : "has deliveries left from an earlier configuration";
    }
}
