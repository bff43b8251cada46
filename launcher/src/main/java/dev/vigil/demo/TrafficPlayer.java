package dev.vigil.demo;

import dev.vigil.demo.bank.Action;
import dev.vigil.demo.bank.Bank;
import dev.vigil.demo.bank.Login;
import dev.vigil.demo.bank.TrafficStream;
import dev.vigil.service.EpochClock;
import dev.vigil.service.ServiceException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Plays the bank's traffic in real time: payments and labels into PostgreSQL, logins into the HTTP intake.
 *
 * <p>Three threads: {@code traffic-source} takes the next action when it is due, {@code traffic-database} and
 * {@code traffic-intake} deliver. The queues between them are bounded; where PostgreSQL or the intake is slow, the source
 * waits and afterwards catches up, with the event times that the stream gave. Ends after the configured duration of
 * event time, when all that was due is accepted.
 *
 * <p>Called by one thread, except {@link #stats} and {@link #planted}.
 */
public final class TrafficPlayer implements AutoCloseable {
    private static final long TICK_MS = 10;
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    private final PlantedFraud planted;
    private final TrafficCounts counts;
    private final Lane<Action> rows = new Lane<>(10_000, 1_000);
    private final Lane<Login> logins = new Lane<>(2_000, 100);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ExecutorService httpCallbacks =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "traffic-intake-http"));
    private final EpochClock clock;
    private final Sleeper sleeper;
    private final TrafficStream stream;
    private final long endMs;
    private final Duration drainTimeout;
    private final Thread source;
    private final List<Thread> workers;

    private TrafficPlayer(
            TrafficConfig config,
            Bank bank,
            BankDatabase database,
            EpochClock clock,
            Sleeper sleeper,
            Duration drainTimeout)
            throws SQLException {
        this.drainTimeout = drainTimeout;
        long startMs = clock.epochMs();
        this.clock = clock;
        this.sleeper = sleeper;
        long firstPaymentId = database.nextPaymentId();
        this.stream = new TrafficStream(bank, config.eventsPerSecond(), Instant.ofEpochMilli(startMs), firstPaymentId);
        this.planted = new PlantedFraud(firstPaymentId, stream.loginIdPrefix());
        this.counts = new TrafficCounts(planted);
        this.endMs =
                config.duration().map(duration -> startMs + duration.toMillis()).orElse(Long.MAX_VALUE);
        RowWriter writer = new RowWriter(database, rows, counts, sleeper);
        LoginPoster poster = new LoginPoster(config.intake(), logins, counts, sleeper, httpCallbacks);
        this.source = thread("traffic-source", this::play);
        this.workers = List.of(thread("traffic-database", writer::run), thread("traffic-intake", poster::run));
    }

    /**
     * Starts to play now.
     *
     * @param database belongs to the player until it is closed; the caller closes it afterwards
     */
    public static TrafficPlayer start(TrafficConfig config, Bank bank, BankDatabase database, EpochClock clock)
            throws SQLException {
        return start(config, bank, database, clock, Thread::sleep, DRAIN_TIMEOUT);
    }

    static TrafficPlayer start(
            TrafficConfig config, Bank bank, BankDatabase database, EpochClock clock, Sleeper sleeper)
            throws SQLException {
        return start(config, bank, database, clock, sleeper, DRAIN_TIMEOUT);
    }

    static TrafficPlayer start(
            TrafficConfig config,
            Bank bank,
            BankDatabase database,
            EpochClock clock,
            Sleeper sleeper,
            Duration drainTimeout)
            throws SQLException {
        TrafficPlayer player = new TrafficPlayer(config, bank, database, clock, sleeper, drainTimeout);
        player.workers.forEach(Thread::start);
        player.source.start();
        return player;
    }

    /**
     * Waits until all is played and accepted.
     *
     * @return false if that takes longer
     * @throws ServiceException if PostgreSQL refused rows for good
     */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        boolean ended = joined(timeout);
        Throwable cause = failure.get();
        if (cause != null) {
            throw new ServiceException("the demo's traffic stopped: " + RowWriter.firstLine(cause), cause);
        }
        return ended;
    }

    /** What was accepted so far. */
    public TrafficStats stats() {
        return counts.snapshot();
    }

    /** What of it is fraud, to hold alerts against; goes on to know more while it plays. */
    public PlantedFraud planted() {
        return planted;
    }

    /** Stops making actions, gives those that are due ten seconds to be accepted, and counts the rest as abandoned. */
    @Override
    public void close() {
        source.interrupt();
        boolean interrupted = false;
        try {
            if (!joined(drainTimeout)) {
                workers.forEach(Thread::interrupt);
                joined(drainTimeout);
            }
        } catch (InterruptedException e) {
            interrupted = true;
            workers.forEach(Thread::interrupt);
        }
        httpCallbacks.shutdownNow();
        counts.abandoned(rows.drop() + logins.drop());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void play() throws InterruptedException {
        try {
            for (Action action = stream.next(); action.delivery().dueMs() < endMs; action = stream.next()) {
                awaitDue(action.delivery().dueMs());
                hand(action);
            }
        } finally {
            rows.end();
            logins.end();
        }
    }

    private void hand(Action action) throws InterruptedException {
        boolean handed = false;
        planted.expect(action);
        try {
            if (action instanceof Login login) {
                logins.put(login);
            } else {
                rows.put(action);
            }
            handed = true;
        } finally {
            if (!handed) {
                counts.abandoned(1);
            }
        }
    }

    /** Sleeps a tick at least, so that what is due together goes into one batch. */
    private void awaitDue(long dueMs) throws InterruptedException {
        for (long waitMs = dueMs - clock.epochMs(); waitMs > 0; waitMs = dueMs - clock.epochMs()) {
            sleeper.sleepMs(Math.max(TICK_MS, waitMs));
        }
    }

    private boolean joined(Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        for (Thread thread : List.of(source, workers.get(0), workers.get(1))) {
            long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
            thread.join(Math.max(1, leftMs));
            if (thread.isAlive()) {
                return false;
            }
        }
        return true;
    }

    private Thread thread(String name, Role role) {
        return new Thread(
                () -> {
                    try {
                        role.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (SQLException | RuntimeException | Error e) {
                        failure.compareAndSet(null, e);
                        source.interrupt();
                    }
                },
                name);
    }

    private interface Role {
        void run() throws SQLException, InterruptedException;
    }
}
