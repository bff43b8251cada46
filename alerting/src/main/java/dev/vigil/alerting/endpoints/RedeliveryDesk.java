package dev.vigil.alerting.endpoints;

import dev.vigil.alerting.AlertAgain;
import dev.vigil.alerting.Outbox;
import dev.vigil.event.Delivery;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.event.endpoint.FailedDeliveries;
import dev.vigil.event.endpoint.FailedDelivery;
import dev.vigil.event.endpoint.Redelivery;
import dev.vigil.service.EpochClock;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells what was given up, and puts it on its way again. What it put stands in the outbox, so that it survives a kill; a request that ends
 * in the middle has put some, and is made again. One request at a time, since each holds what it found. Safe for any thread.
 */
public final class RedeliveryDesk {
    private static final int MAX_LIMIT = 10_000;

    private final GivenUpDeliveries givenUp;
    private final Outbox outbox;
    private final Runnable whenQueued;
    private final EpochClock clock;
    private final Semaphore turn = new Semaphore(1);

    /** @param whenQueued called after some were put on their way */
    public RedeliveryDesk(GivenUpDeliveries givenUp, Outbox outbox, Runnable whenQueued, EpochClock clock) {
        this.givenUp = givenUp;
        this.outbox = outbox;
        this.whenQueued = whenQueued;
        this.clock = clock;
    }

    FailedDeliveries failed(@Nullable String endpoint, long fromMs, long toMs, int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw Definitions.invalid("limit: expected 1 to " + MAX_LIMIT + ", found " + limit);
        }
        List<Delivery> found = inTurn(() -> givenUp.find(endpoint, fromMs, toMs));
        return new FailedDeliveries(
                found.stream()
                        .sorted(Comparator.comparingLong(Delivery::attemptedAtMs)
                                .reversed()
                                .thenComparing(Delivery::alertId))
                        .limit(limit)
                        .map(RedeliveryDesk::failed)
                        .toList(),
                found.size());
    }

    private static FailedDelivery failed(Delivery delivery) {
        return new FailedDelivery(
                delivery.alertId(),
                delivery.account(),
                String.valueOf(delivery.endpoint()),
                delivery.attempt(),
                delivery.statusCode(),
                delivery.detail(),
                delivery.eventTimeUs(),
                delivery.attemptedAtMs());
    }

    Redelivery redeliver(String endpoint, boolean inOrder, long fromMs, long toMs, boolean dryRun) {
        return inTurn(() -> {
            List<Delivery> found = givenUp.find(endpoint, fromMs, toMs);
            if (dryRun || found.isEmpty()) {
                return new Redelivery(endpoint, dryRun, found.size(), 0, 0, 0);
            }
            long sinceMs =
                    found.stream().mapToLong(Delivery::ingestTimeMs).min().orElseThrow();
            AtomicInteger read = new AtomicInteger();
            AtomicInteger queued = new AtomicInteger();
            givenUp.alerts(found.stream().map(Delivery::alertId).collect(Collectors.toSet()), sinceMs, alerts -> {
                List<AlertAgain> again = alerts.stream()
                        .map(stored -> new AlertAgain(
                                stored.alert().alertId(), stored.alert().account(), stored.json()))
                        .toList();
                read.addAndGet(again.size());
                queued.addAndGet(outbox.redeliver(endpoint, again, inOrder, clock.epochMs()));
                whenQueued.run();
            });
            return new Redelivery(
                    endpoint, false, found.size(), queued.get(), read.get() - queued.get(), found.size() - read.get());
        });
    }

    private <T> T inTurn(Supplier<T> question) {
        if (!turn.tryAcquire()) {
            throw new EndpointRefusedException(
                    Kind.BUSY, "another question about given up deliveries is being answered");
        }
        try {
            return question.get();
        } finally {
            turn.release();
        }
    }
}
