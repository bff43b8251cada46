package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.Summary;
import dev.vigil.scoring.Outputs.Kind;
import dev.vigil.scoring.Outputs.Output;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random streams, over the nights in which Berlin's clocks change, against brute force: each result over the events that
 * were scored before it, and in the end a result for each window, the last of which is over all.
 */
class SummaryPropertyTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final long LAG = 10 * SECOND;
    private static final List<String> STARTS =
            List.of("2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z", "1969-12-31T20:00:00Z");

    private static String policy(String late) {
        return """
                policy: test
                version: 1
                currency: EUR
                time: {out_of_orderness: 10s, allowed_lateness: 10m, max_future_skew: 5m, late: %s}
                events:
                  tx: {fields: {amount: money, merchant: string}}
                  login: {fields: {}}
                summaries:
                  hourly:
                    every: 1h
                    values:
                      n: {count: tx}
                      big: {count: tx, where: "amount > 50.0"}
                      total: {sum: tx.amount}
                      largest: {max: tx.amount}
                      first: {first: tx.merchant}
                      second_last: {nth_last: tx.merchant, n: 2}
                      merchants: {distinct: tx.merchant}
                      logins: {count: login}
                  daily:
                    every: day
                    zone: Europe/Berlin
                    values: {n: {count: tx}, total: {sum: tx.amount}}
                """.formatted(late);
    }

    private static final class Scenario {
        private final Random random;
        private final PartitionScorerTester tester;
        private final List<TestRecord> records = new ArrayList<>();
        private long nowUs;

        Scenario(long seed) {
            random = new Random(seed);
            nowUs = EventTimes.parse(STARTS.get(random.nextInt(STARTS.size())));
            tester = new PartitionScorerTester();
            add(TestRecord.policy(policy(random.nextBoolean() ? "drop" : "update, correct_within: 3h")));
            for (int i = 0; i < 400; i++) {
                next(i);
            }
            // Ticks alone end what is open.
            add(TestRecord.tick(nowUs + 30 * HOUR).withIngestTimeMs((nowUs + 30 * HOUR) / 1_000));
            add(TestRecord.tick(nowUs + 30 * HOUR).withIngestTimeMs((nowUs + 30 * HOUR) / 1_000));
        }

        private void add(TestRecord record) {
            tester.add(record);
            records.add(record);
        }

        private void next(int i) {
            int kind = random.nextInt(100);
            nowUs += kind < 3 ? random.nextInt(20) * HOUR : random.nextInt(8) * MINUTE;
            if (kind < 20) {
                nowUs = Math.floorDiv(nowUs, HOUR) * HOUR - random.nextInt(2);
            }
            long back = kind < 60 ? 0 : kind < 85 ? random.nextInt(10) * MINUTE : random.nextInt(240) * MINUTE;
            long ingestMs = Math.floorDiv(nowUs, 1_000L);
            if (kind == 99) {
                add(TestRecord.tick(nowUs).withIngestTimeMs(ingestMs));
                return;
            }
            String id = "e" + (kind > 92 ? random.nextInt(i + 1) : i);
            String type = random.nextInt(5) == 0 ? "login" : "tx";
            String json = "{\"amount\": " + random.nextInt(100) + "." + random.nextInt(10) + random.nextInt(10)
                    + (random.nextInt(4) > 0 ? ", \"merchant\": \"m" + random.nextInt(4) + "\"" : "") + "}";
            add(TestRecord.event(type, id, nowUs - back, json)
                    .withAccount("acc" + random.nextInt(1 + random.nextInt(12)))
                    .withIngestTimeMs(ingestMs));
        }
    }

    private record Window(String summary, String account, long startUs, long endUs) {}

    private static Window window(String summary, ScoredEvent event) {
        long timeUs = event.eventTimeUs();
        if (summary.equals("hourly")) {
            long start = Math.floorDiv(timeUs, HOUR) * HOUR;
            return new Window(summary, event.account(), start, start + HOUR);
        }
        ZonedDateTime day =
                EventTimes.toInstant(timeUs).atZone(BERLIN).toLocalDate().atStartOfDay(BERLIN);
        return new Window(
                summary,
                event.account(),
                us(day.toInstant()),
                us(day.plusDays(1).toInstant()));
    }

    private static long us(Instant instant) {
        return EventTimes.fromInstant(instant);
    }

    private static Map<String, Object> values(Window window, List<ScoredEvent> scored) {
        List<ScoredEvent> all = scored.stream()
                .filter(event -> window(window.summary(), event).equals(window))
                .sorted(Comparator.comparingLong(ScoredEvent::eventTimeUs)
                        .thenComparingLong(event -> event.position().offset()))
                .toList();
        List<ScoredEvent> payments =
                all.stream().filter(event -> event.type().equals("tx")).toList();
        List<BigDecimal> amounts = payments.stream()
                .map(event -> (BigDecimal) event.fields().get("amount"))
                .toList();
        List<Object> merchants = payments.stream()
                .map(event -> event.fields().get("merchant"))
                .filter(java.util.Objects::nonNull)
                .toList();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("n", payments.size());
        BigDecimal total = amounts.stream().reduce(new BigDecimal("0.00"), BigDecimal::add);
        if (window.summary().equals("daily")) {
            values.put("total", total);
            return values;
        }
        values.put(
                "big", (int) amounts.stream().filter(a -> a.doubleValue() > 50).count());
        values.put("total", total);
        amounts.stream().max(Comparator.naturalOrder()).ifPresent(max -> values.put("largest", max));
        if (!merchants.isEmpty()) {
            values.put("first", merchants.get(0));
        }
        if (merchants.size() > 1) {
            values.put("second_last", merchants.get(merchants.size() - 2));
        }
        values.put("merchants", new HashSet<>(merchants).size());
        values.put("logins", all.size() - payments.size());
        return values;
    }

    @ParameterizedTest
    @MethodSource("dev.vigil.scoring.WindowPropertyTest#seeds")
    void shouldAgreeWithBruteForce(long seed) {
        Scenario scenario = new Scenario(seed);
        Outputs outputs = scenario.tester.restoreEvery(29).run();
        List<ScoredEvent> scored = new ArrayList<>();
        Map<Window, Long> told = new HashMap<>();
        long watermarkUs = Long.MIN_VALUE;
        int offset = -1;
        for (Output output : outputs.all()) {
            byte[] json = output.text().getBytes(StandardCharsets.UTF_8);
            for (; offset < output.offset(); offset++) {
                watermarkUs = Math.max(watermarkUs, tickUs(scenario.records.get(offset + 1)));
            }
            if (output.kind() == Kind.SCORED) {
                ScoredEvent event = Json.decode(json, ScoredEvent.class);
                scored.add(event);
                watermarkUs = Math.max(watermarkUs, event.eventTimeUs() - LAG);
            } else if (output.kind() == Kind.SUMMARY) {
                Summary summary = Json.decode(json, Summary.class);
                String as = "seed " + seed + ", " + summary;
                Window window = new Window(
                        summary.summary(), summary.account(), summary.windowStartUs(), summary.windowEndUs());
                assertThat(window.endUs()).as(as).isLessThanOrEqualTo(watermarkUs);
                assertThat(summary.values()).as(as).isEqualTo(values(window, scored));
                Long before = told.put(window, summary.revision());
                if (before == null) {
                    assertThat(summary.revision()).as(as).isZero();
                } else {
                    assertThat(summary.revision()).as(as).isGreaterThan(before).isEqualTo(output.offset());
                }
            }
        }
        Set<Window> expected = new HashSet<>();
        for (ScoredEvent event : scored) {
            expected.add(window("hourly", event));
            expected.add(window("daily", event));
        }
        assertThat(told.keySet()).as("seed %d", seed).isEqualTo(expected);
        assertLastResultsAreOverAll(seed, outputs, scored);
    }

    private static void assertLastResultsAreOverAll(long seed, Outputs outputs, List<ScoredEvent> scored) {
        Map<Window, Summary> last = new HashMap<>();
        for (Summary summary : outputs.summaries()) {
            last.put(
                    new Window(summary.summary(), summary.account(), summary.windowStartUs(), summary.windowEndUs()),
                    summary);
        }
        if (seed == 1) {
            assertThat(outputs.summaries().size()).as("some told again").isGreaterThan(last.size());
        }
        last.forEach((window, summary) ->
                assertThat(summary.values()).as("seed %d, %s", seed, summary).isEqualTo(values(window, scored)));
    }

    private static long tickUs(TestRecord record) {
        return "vigil.tick".equals(record.headers().get("ce_type"))
                ? EventTimes.parse(record.headers().get("ce_time")) - LAG
                : Long.MIN_VALUE;
    }
}
