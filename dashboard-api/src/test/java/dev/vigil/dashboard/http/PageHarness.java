package dev.vigil.dashboard.http;

import dev.vigil.dashboard.cases.InMemoryCases;
import dev.vigil.dashboard.cases.SampleCases;
import dev.vigil.dashboard.cases.Triage;
import dev.vigil.dashboard.deadletter.InMemoryDeadLetters;
import dev.vigil.dashboard.history.HistoryException;
import dev.vigil.dashboard.history.HistoryQueries;
import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.FakePolicies;
import dev.vigil.dashboard.intake.IntakeConfig;
import dev.vigil.dashboard.live.AlertFeed;
import dev.vigil.dashboard.live.LiveSnapshot;
import dev.vigil.dashboard.live.MetricsHistory;
import dev.vigil.dashboard.live.RateMeter;
import dev.vigil.dashboard.live.ScoredFeed;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The whole server over fakes, on a free port: for tests, and by hand to look at the page. */
final class PageHarness implements AutoCloseable {
    /** How long an action waits for one that is not taken. */
    private static final Duration PATIENCE = Duration.ofMillis(600);

    final StatusBoard board = new StatusBoard();
    final FakeServices services = new FakeServices(42);
    final InMemoryEventLog log = new InMemoryEventLog();
    final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final AlertFeed alerts = new AlertFeed(500);
    final ScoredFeed scored = new ScoredFeed(2_000);
    final InMemoryDeadLetters letters = new InMemoryDeadLetters();
    final InMemoryCases cases = new InMemoryCases();
    final FakeEndpoints endpoints = new FakeEndpoints();
    final ApiServer server;
    private final MetricsHistory history = new MetricsHistory();
    private final RateMeter meter = new RateMeter();
    private volatile long nowMs;
    private volatile LiveSnapshot latest;

    PageHarness(long startMs, int port, @Nullable HistoryQueries queries, int maxInFlight) {
        this(
                startMs,
                port,
                queries,
                FakePolicies.config("{max-events: 100, max-in-flight: " + maxInFlight + ", broker-timeout: 5s}"),
                FakePolicies.active(FakePolicies.takingAll()));
    }

    PageHarness(long startMs, int port, @Nullable HistoryQueries queries, IntakeConfig intake, ActivePolicy policy) {
        this(startMs, port, queries, intake, policy, null);
    }

    /** @param userHeader in which trusted proxies say who is calling */
    PageHarness(
            long startMs,
            int port,
            @Nullable HistoryQueries queries,
            IntakeConfig intake,
            ActivePolicy policy,
            @Nullable String userHeader) {
        this.nowMs = startMs;
        this.latest = LiveSnapshot.of(startMs, RateMeter.Rates.UNKNOWN, List.of());
        this.server = new ApiServer(
                HttpConfig.local(port),
                userHeader,
                50,
                intake,
                new QueryConfig(1_000, Duration.ofSeconds(5), 1),
                new ApiServer.Parts(
                        board,
                        () -> latest,
                        history,
                        alerts,
                        scored,
                        log,
                        policy,
                        queries,
                        FakeExplanations::explain,
                        letters,
                        new Triage(cases, cases, () -> nowMs, PATIENCE),
                        () -> endpoints),
                () -> nowMs,
                meters);
    }

    static PageHarness started() {
        PageHarness harness = new PageHarness(1_800_000_000_000L, 0, PageHarness::answer, 64);
        harness.services.addTo(harness.board, () -> harness.nowMs);
        harness.server.start("dashboard");
        return harness;
    }

    static HistoryQueries.Table answer(String sql, int maxRows, Duration timeout) {
        if (!sql.stripLeading().regionMatches(true, 0, "select", 0, 6)) {
            throw new HistoryException(HistoryException.Kind.INVALID, "expected a SELECT statement");
        }
        if (sql.contains("boom")) {
            throw new IllegalStateException("jdbc:secret://internal-host/ failed with a stack trace");
        }
        return new HistoryQueries.Table(
                List.of(
                        new HistoryQueries.Column("decision", "VARCHAR"),
                        new HistoryQueries.Column("events", "BIGINT"),
                        new HistoryQueries.Column("mean", "DOUBLE"),
                        new HistoryQueries.Column("position", "BIGINT"),
                        new HistoryQueries.Column("rules", "STRUCT[]")),
                List.of(
                        Arrays.<@Nullable Object>asList(
                                "approve", 184_201L, 3.25, Long.MAX_VALUE, List.of(Map.of("rule", "velocity"))),
                        Arrays.<@Nullable Object>asList("review", 812L, Double.NaN, 4L, null),
                        Arrays.<@Nullable Object>asList("decline", 301L, null, null, List.of())),
                false);
    }

    /** A second passes in which that many events are scored. */
    void tick(int events) {
        tickTo(nowMs + 1_000, events);
    }

    private void tickTo(long toMs, int events) {
        nowMs = toMs;
        services.advance(events);
        var statuses = board.all();
        latest = LiveSnapshot.of(nowMs, meter.update(nowMs, statuses), statuses);
        history.add(latest);
        server.publish(latest);
    }

    Alert raise() {
        return raise(services.alert(nowMs));
    }

    Alert raise(Alert alert) {
        byte[] account = alert.account().getBytes(StandardCharsets.UTF_8);
        for (int back = 5; back >= 0; back--) {
            scored.add(account, Json.encode(FakeServices.scored(alert, back)));
        }
        alerts.add(alert).ifPresent(server::publish);
        return alert;
    }

    void deliver(Alert alert, Delivery.Outcome outcome, int attempt) {
        Delivery delivery = services.delivery(alert, outcome, attempt, nowMs);
        server.publish(alert.alertId(), alerts.add(delivery));
    }

    String url() {
        return server.url();
    }

    @Override
    public void close() {
        server.close();
    }

    /** Shows the page with made-up traffic until it is stopped: {@code PageHarness [port]}. */
    public static void main(String[] args) throws InterruptedException {
        int port = args.length == 0 ? 0 : Integer.parseInt(args[0]);
        long startMs = System.currentTimeMillis() - 600_000;
        try (PageHarness harness = new PageHarness(startMs, port, PageHarness::answer, 64)) {
            harness.services.addTo(harness.board, () -> harness.nowMs);
            for (int second = 0; second < 600; second++) {
                harness.tick(rate(second));
                harness.maybeRaise(second, second % 9 == 0);
            }
            for (int i = 1; i <= 12; i++) {
                harness.cases.put(SampleCases.of("c" + i, "acc-" + (1_000 + i)));
            }
            harness.server.start("dashboard");
            System.out.println(harness.url());
            for (int second = 600; ; second++) {
                harness.tickTo(System.currentTimeMillis(), rate(second));
                harness.maybeRaise(second, second % 3 == 0);
                Thread.sleep(1_000);
            }
        }
    }

    private final List<Alert> undelivered = new ArrayList<>();

    private void maybeRaise(int second, boolean raise) {
        undelivered.forEach(a -> deliver(
                a,
                second % 5 == 0
                        ? Delivery.Outcome.SUPPRESSED
                        : second % 7 == 0 ? Delivery.Outcome.FAILED : Delivery.Outcome.DELIVERED,
                1));
        undelivered.clear();
        if (raise) {
            undelivered.add(raise());
        }
    }

    private static int rate(int second) {
        double wave = 40 * Math.sin(second / 40.0) + 18 * Math.sin(second / 7.0);
        return (int) (220 + wave + (second % 173 < 12 ? 110 : 0));
    }
}
