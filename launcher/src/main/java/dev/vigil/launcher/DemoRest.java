package dev.vigil.launcher;

import dev.vigil.alerting.service.Alerting;
import dev.vigil.cdc.debezium.CdcIngest;
import dev.vigil.engine.kafka.ScoringEngine;
import dev.vigil.lakehouse.service.Lakehouse;
import dev.vigil.service.ServiceException;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.LakehouseStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a demo: waits until every record has reached its end and history has it. What has not by the time that waiting
 * is given up is told, and is not lost: a next start goes on with it. One thread.
 */
final class DemoRest {
    private static final Logger LOG = LoggerFactory.getLogger(DemoRest.class);
    private static final Duration WITHOUT_PROGRESS = Duration.ofSeconds(45);
    private static final Duration IN_ALL = Duration.ofMinutes(10);
    private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(30);
    private static final long LOOK_MS = 250;
    private static final long TELL_MS = 10_000;

    private final Deployment deployment;
    private final VigilConfig config;
    private final DemoConsole console;
    private long tellAtMs;

    DemoRest(Deployment deployment, VigilConfig config, DemoConsole console) {
        this.deployment = deployment;
        this.config = config;
        this.console = console;
        this.tellAtMs = now() + TELL_MS;
    }

    /**
     * Waits until all are at rest: nothing was read, scored or delivered for a while, and nothing is left to do.
     *
     * @return what was still behind when waiting was given up; empty at rest
     */
    List<String> await() {
        RestWatch watch = new RestWatch(WITHOUT_PROGRESS, IN_ALL, now());
        while (true) {
            requireRunning();
            List<String> left = left();
            switch (watch.look(figures(), left.isEmpty(), now())) {
                case AT_REST -> {
                    return List.of();
                }
                case GIVEN_UP -> {
                    List<String> behind = left.isEmpty() ? List.of("records still come in") : left;
                    LOG.warn("not at rest: {}; {}", behind, figures());
                    return behind;
                }
                case AT_WORK -> tell(left);
            }
            sleep();
        }
    }

    /** Names all that moves while there is something to do. */
    private String figures() {
        EngineStatus engine = engine();
        return engine.counts() + "|" + lag(engine) + "|"
                + deployment
                        .service(ServiceName.CDC_INGEST, CdcIngest.class)
                        .status()
                        .rowsRead()
                + "|" + alerting().alerts() + "|" + alerting().pending();
    }

    private List<String> left() {
        List<String> left = new ArrayList<>();
        add(left, lag(engine()), "records of the log are not scored yet");
        add(left, alerting().pending(), "deliveries of alerts are pending");
        return left;
    }

    private static void add(List<String> left, long count, String what) {
        if (count > 0) {
            left.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }

    private static long lag(EngineStatus engine) {
        return engine.partitions().stream()
                .mapToLong(EngineStatus.PartitionStatus::lag)
                .sum();
    }

    /**
     * Waits until history has all that is at rest, and the end of every alert.
     *
     * @return what it had not committed when waiting was given up; empty if it has all
     */
    List<String> awaitHistory() {
        RestWatch watch = new RestWatch(WITHOUT_PROGRESS, IN_ALL, now());
        while (!lakehouse().flushNow(FLUSH_TIMEOUT)) {
            requireRunning();
            LakehouseStatus history = lakehouse().status();
            List<String> left = List.of(uncommitted(history));
            if (watch.look(history.tables().toString() + history.pendingRows(), false, now())
                    == RestWatch.Verdict.GIVEN_UP) {
                return left;
            }
            tell(left);
            sleep();
        }
        return List.of();
    }

    private static String uncommitted(LakehouseStatus history) {
        String problem = history.problem();
        return String.format(Locale.ROOT, "%,d rows of history are not committed yet", history.pendingRows())
                + (problem == null ? "" : ": " + problem);
    }

    /** History with the end of every alert; as it is where that takes too long. */
    DemoHistory history() {
        long deadlineMs = now() + FLUSH_TIMEOUT.toMillis();
        while (true) {
            DemoHistory history = DemoHistory.ask(config);
            AlertingStatus alerting = alerting();
            if (history.settled() >= alerting.alerts() - alerting.unrouted() || now() > deadlineMs) {
                return history;
            }
            // An outcome is in the outbox a moment before it is in the topic that history takes it from.
            sleep();
            lakehouse().flushNow(FLUSH_TIMEOUT);
        }
    }

    private void tell(List<String> left) {
        if (now() >= tellAtMs && !left.isEmpty()) {
            tellAtMs = now() + TELL_MS;
            console.step("still waiting: " + String.join("; ", left));
        }
    }

    private void requireRunning() {
        deployment.failure().ifPresent(failure -> {
            throw new ServiceException(failure);
        });
    }

    private EngineStatus engine() {
        return deployment
                .service(ServiceName.SCORING_ENGINE, ScoringEngine.class)
                .status();
    }

    private AlertingStatus alerting() {
        return deployment.service(ServiceName.ALERTING, Alerting.class).status();
    }

    private Lakehouse lakehouse() {
        return deployment.service(ServiceName.LAKEHOUSE_SINK, Lakehouse.class);
    }

    private static long now() {
        return SystemClock.INSTANCE.epochMs();
    }

    private static void sleep() {
        try {
            Thread.sleep(LOOK_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted", e);
        }
    }
}
