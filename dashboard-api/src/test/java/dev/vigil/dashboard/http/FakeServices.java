package dev.vigil.dashboard.http;

import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.Delivery;
import dev.vigil.event.RuleHit;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.SourcePosition;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.IntakeStatus;
import dev.vigil.service.status.KafkaIntakeStatus;
import dev.vigil.service.status.LakehouseStatus;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.RecordCounts;
import dev.vigil.service.status.ServiceState;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Services that never were: statuses, alerts and deliveries as real ones would tell them, at a given time. */
final class FakeServices {
    static final String TOPIC_ID = "Zk3yq0mUQk2b8m4s1v0x7A";
    /** That a suppressed alert names. */
    static final String CASE = "c1";

    private static final String[] MERCHANTS = {
        "Kiosk 7", "Gas & Go", "Elektro Maier", "Hotel Lux", "M\u00fcller & S\u00f6hne"
    };

    private final Random random;
    private long read;
    private long alerts;
    private long delivered;
    private long deadLettered;
    private final Map<String, Long> laterMs = new TreeMap<>(Map.of("tx_avg_30d", 86_400_000L));
    private long sinceCommitMs;

    FakeServices(long seed) {
        this.random = new Random(seed);
    }

    void addTo(StatusBoard board, java.util.function.LongSupplier nowMs) {
        board.add("cdc-ingest", () -> cdc(nowMs.getAsLong()));
        board.add("scoring-engine", () -> engine(nowMs.getAsLong()));
        board.add("alerting", this::alerting);
        board.add("lakehouse-sink", () -> lakehouse(nowMs.getAsLong()));
        board.add(
                "dashboard-api",
                () -> new IntakeStatus("dashboard-api", ServiceState.RUNNING, null, 1_204, 3, 1, kafkaIntake()));
    }

    /** Features whose windows are complete so much later than now. */
    void fill(Map<String, Long> windowsMs) {
        laterMs.clear();
        laterMs.putAll(windowsMs);
    }

    /** History whose last commit was so long ago, as after a stop. */
    void commitWas(long agoMs) {
        sinceCommitMs = agoMs;
    }

    /** So many rows were set aside. */
    void deadLetters(long count) {
        deadLettered = count;
    }

    void advance(int events) {
        read += events;
    }

    private CdcStatus cdc(long nowMs) {
        return new CdcStatus(
                "cdc-ingest",
                ServiceState.RUNNING,
                null,
                "streaming",
                read,
                read,
                deadLettered,
                12,
                3,
                0,
                0,
                0,
                (nowMs - 400) * 1_000,
                48_213L,
                null);
    }

    private EngineStatus engine(long nowMs) {
        List<EngineStatus.PartitionStatus> partitions = new ArrayList<>();
        RecordCounts sum = RecordCounts.ZERO;
        for (int p = 0; p < 4; p++) {
            long share = read / 4;
            RecordCounts counts =
                    new RecordCounts(share, share - share / 50 - share / 100 - 4, 4, 0, 0, share / 50, share / 100, 0);
            sum = sum.plus(counts);
            partitions.add(new EngineStatus.PartitionStatus(
                    p,
                    share,
                    share + random.nextInt(6),
                    (nowMs - 30_000 - random.nextInt(900)) * 1_000,
                    counts,
                    alerts / 4,
                    0,
                    0,
                    nowMs - 4_000 - p * 2_100L,
                    share - 700,
                    (nowMs - 90_000_000) * 1_000));
        }
        return new EngineStatus(
                "scoring-engine",
                ServiceState.RUNNING,
                null,
                "card-fraud",
                3,
                sum,
                alerts,
                new LatencyStatus(read, 3, 11, 38, 122),
                new LatencyStatus(9_000, 3, 10 + wander(nowMs, 40_000, 3), 24 + wander(nowMs, 60_000, 6), 44),
                partitions,
                completeSinceUs(nowMs));
    }

    private Map<String, Long> completeSinceUs(long nowMs) {
        Map<String, Long> sinceUs = new TreeMap<>(Map.of("tx_count_1h", 1_000_000L));
        laterMs.forEach((feature, later) -> sinceUs.put(feature, (nowMs + later) * 1_000));
        return sinceUs;
    }

    private static int wander(long nowMs, long periodMs, int by) {
        return (int) Math.round(by * Math.sin(nowMs * 2 * Math.PI / periodMs));
    }

    private AlertingStatus alerting() {
        return new AlertingStatus(
                "alerting",
                ServiceState.RUNNING,
                null,
                alerts,
                alerts / 5,
                0,
                0,
                0,
                0,
                delivered,
                2,
                0,
                Math.max(0, alerts - alerts / 5 - delivered),
                new LatencyStatus(delivered, 7, 29, 80, 160),
                delivered == 0 ? LatencyStatus.NONE : new LatencyStatus(80, 7, 24 + delivered % 9, 60, 71),
                false,
                List.of(new AlertingStatus.EndpointStatus("built-in receiver", "enabled", delivered, 2, 0, null)));
    }

    private LakehouseStatus lakehouse(long nowMs) {
        long commitAtMs = nowMs - nowMs % 60_000 - sinceCommitMs;
        return new LakehouseStatus(
                "lakehouse-sink",
                ServiceState.RUNNING,
                null,
                320,
                commitAtMs + 60_000,
                commitAtMs,
                List.of(
                        new LakehouseStatus.TableStatus("scored_events", read, 14, commitAtMs, 7_301_224_311_929L),
                        new LakehouseStatus.TableStatus("alerts", alerts, 9, commitAtMs - 60_000, 512L),
                        new LakehouseStatus.TableStatus("deliveries", delivered, 9, commitAtMs - 60_000, 513L)));
    }

    /** The next alert: a decline or a review. */
    Alert alert(long nowMs) {
        return alertOf("acc-" + (1_000 + random.nextInt(60)), nowMs);
    }

    Alert alertOf(String account, long nowMs) {
        int n = (int) alerts++;
        boolean declined = random.nextInt(3) > 0;
        BigDecimal amount = BigDecimal.valueOf(500 + random.nextInt(250_000), 2);
        Map<String, Object> fields = new TreeMap<>(Map.of(
                "amount",
                amount,
                "merchant",
                MERCHANTS[random.nextInt(MERCHANTS.length)],
                "country",
                "DE",
                "terminal",
                "t-" + random.nextInt(400),
                "device",
                "dev-" + random.nextInt(3_000)));
        List<RuleHit> rules = new ArrayList<>();
        rules.add(new RuleHit(
                "velocity",
                35,
                random.nextInt(3) > 0
                        ? "many payments, unusually high"
                        : "unusually high payment for goods that are easily resold, from another device than the last"
                                + " one, far from where this card was used before, by somebody in a hurry",
                new TreeMap<>(
                        Map.of("tx_count_1h", 6 + random.nextInt(9), "amount_ratio", 3.1 + random.nextDouble() * 5))));
        if (declined) {
            rules.add(new RuleHit("travel", 50, "impossible travel", Map.of("speed_kmh", 900 + random.nextInt(3_000))));
        }
        return new Alert(
                "al_" + Long.toHexString(0x5eed0000L + n) + "7b21",
                "tx-" + (88_000 + n),
                "/bank/transactions",
                "transaction",
                account,
                (nowMs - 180) * 1_000,
                nowMs - 12,
                new SourcePosition(TOPIC_ID, n % 4, 10_000L + n),
                "card-fraud",
                3,
                "EUR",
                declined ? 85 : 35 + random.nextInt(40),
                declined ? Decision.DECLINE : Decision.REVIEW,
                account,
                900_000,
                fields,
                rules);
    }

    Delivery delivery(Alert alert, Delivery.Outcome outcome, int attempt, long nowMs) {
        boolean suppressed = outcome == Delivery.Outcome.SUPPRESSED;
        delivered += outcome == Delivery.Outcome.DELIVERED ? 1 : 0;
        return new Delivery(
                alert.alertId(),
                alert.account(),
                alert.position(),
                alert.eventTimeUs(),
                alert.ingestTimeMs(),
                suppressed ? null : "built-in receiver",
                suppressed ? 0 : attempt,
                outcome,
                outcome == Delivery.Outcome.DELIVERED
                        ? Integer.valueOf(204)
                        : outcome == Delivery.Outcome.FAILED ? Integer.valueOf(503) : null,
                suppressed
                        ? "cooldown: after alert al_5eed00017b21, case " + CASE
                        : outcome == Delivery.Outcome.FAILED ? "answered 503, next attempt in 5 s" : null,
                nowMs,
                4);
    }

    static ScoredEvent scored(Alert alert, int back) {
        return new ScoredEvent(
                back == 0 ? alert.eventId() : alert.eventId() + "-" + back,
                alert.source(),
                alert.type(),
                alert.account(),
                alert.eventTimeUs() - back * 37_000_000L,
                alert.ingestTimeMs() - back * 37_000L,
                false,
                0,
                alert.position(),
                alert.policy(),
                alert.policyVersion(),
                back == 0 ? alert.score() : 0,
                back == 0 ? alert.decision() : Decision.APPROVE,
                back == 0 ? alert.fields() : Map.of("amount", BigDecimal.valueOf(1_999 + back * 350L, 2)),
                Map.of("tx_count_1h", 7 - back, "tx_avg_30d", 41.27),
                back == 0 ? alert.rules() : List.of(),
                List.of());
    }

    private static KafkaIntakeStatus kafkaIntake() {
        return new KafkaIntakeStatus(null, 4, 512, 2, 1, 0, 7L, 1_796_028_924_250_000L);
    }
}
