package dev.vigil.dashboard.http;

import static dev.vigil.event.DeadLetter.Reason.BAD_AMOUNT;
import static dev.vigil.event.DeadLetter.Reason.BAD_FIELD;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.vigil.dashboard.deadletter.LetterHeader;
import dev.vigil.dashboard.deadletter.LetterPosition;
import dev.vigil.dashboard.deadletter.Letters;
import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.RuleHit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The page in a real browser. */
final class PageBrowserTest extends BrowserTest {
    @Test
    void shouldShowFiguresAndAlertsLiveWithoutAnyComplaint() {
        harness.tick(100);
        Alert before = harness.raise();
        page.navigate(harness.url());
        shows("alert-feed", before.account());

        harness.tick(250);
        shows(".tiles", "Events per second");
        shows(".policy", "card-fraud");
        shows(".connection", "live");
        shows(".side-column", "Scoring engine");
        shows(".side-column", "512 by Kafka, 2 refused, 1 skipped, 7 behind");
        shows("vigil-chart", "events/s");
        shows(".side-column", "Windows still filling");
        shows(".side-column", "1 of 2 features");
        shows(".side-column", "tx_avg_30d");
        shows(".side-column", "complete from 2027-01-16");

        Alert live = harness.raise();
        shows("alert-feed tbody tr", live.account());
        harness.deliver(live, Delivery.Outcome.DELIVERED, 1);
        shows("alert-feed tbody tr", "delivered");
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldOpenAnAlertWithItsRulesFieldsAndTheAccountsEvents() {
        harness.tick(100);
        Alert alert = harness.raise();
        page.navigate(harness.url());
        page.locator("alert-feed tbody tr").first().click();
        shows("alert-details dialog", alert.alertId());
        shows("alert-details dialog", alert.rules().get(0).rule());
        shows("alert-details dialog", "tx_count_1h");
        shows("alert-details dialog", (String) alert.fields().get("merchant"));
        PlaywrightAssertions.assertThat(page.locator("alert-details dialog tr.this-event"))
                .isVisible();
        shows("alert-details dialog .explained", "tx_sum_1h");
        shows("alert-details dialog .explained", "forgotten");
        Locator contributor = page.locator("alert-details dialog .explained td:has-text('earlier/event')");
        PlaywrightAssertions.assertThat(contributor).not().isVisible();
        page.locator("alert-details dialog .explained summary").first().click();
        PlaywrightAssertions.assertThat(contributor).isVisible();
        page.keyboard().press("Escape");
        PlaywrightAssertions.assertThat(page.locator("alert-details dialog"))
                .not()
                .isVisible();
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldFoldALongListOfWindowsThatAreStillFilling() {
        Map<String, Long> windowsMs = new TreeMap<>();
        for (int day = 1; day <= 12; day++) {
            windowsMs.put("tx_count_" + day + "d", day * 86_400_000L);
        }
        harness.services.fill(windowsMs);
        page.navigate(harness.url());
        ticksUntilLive();
        shows(".side-column", "12 of 13 features");
        shows(".filling summary", "all complete from 2027-01-27");
        Locator first = page.locator(".filling td:has-text('tx_count_1d')");
        PlaywrightAssertions.assertThat(first).not().isVisible();
        page.locator(".filling summary").click();
        PlaywrightAssertions.assertThat(first).isVisible();
        harness.tick(100);
        PlaywrightAssertions.assertThat(first).isVisible();
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldShowWhatIsUsualBesideASpikeThatItCutsAndNames() {
        for (int second = 0; second < 60; second++) {
            harness.tick(second == 20 ? 18_204 : 100);
        }
        page.navigate(harness.url());
        ticksUntilLive();
        shows(".charts .cut", "▲ 18,204");
        PlaywrightAssertions.assertThat(page.locator(".charts .cut")).hasCount(1);
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldChooseTheReachOfAChartByWhatIsThere() {
        page.navigate(harness.url());
        assertThat(scale("topOf([...Array(30).fill(100), 9000], 0.9)")).isEqualTo(200);
        assertThat(scale("topOf([...Array(30).fill(100), 250], 0.9)")).isEqualTo(250);
        assertThat(scale("topOf([...Array(10).fill(100), 9000], 0.9)"))
                .as("too few to know what is usual")
                .isEqualTo(9_000);
        assertThat(scale("topOf([...Array(30).fill(0), 5], 0.9)")).isEqualTo(5);
        assertThat(scale("topOf([null, undefined], 0.9)")).isEqualTo(0);
        assertThat(scale("cutPeaks([1, 7, 9, null, 8, 1, 9], 5).join()")).isEqualTo("2,4,6");
        assertThat(scale("firstSecond([{at_ms: 970000}], 1000000, 120, 600)")).isEqualTo(880);
        assertThat(scale("firstSecond([{at_ms: 700000}], 1000000, 120, 600)")).isEqualTo(700);
        assertThat(scale("firstSecond([{at_ms: 1000}], 1000000, 120, 600)")).isEqualTo(400);
    }

    private Object scale(String call) {
        return page.evaluate("async () => (await import('/assets/scale.js'))." + call);
    }

    @Test
    void shouldKeepEachFigureWithinItsTileAndEachPanelWithinThePage() {
        for (int second = 0; second < 30; second++) {
            harness.tick(second == 0 ? 1_234_567 : 100);
        }
        harness.services.commitWas(12 * 86_400_000L + 23 * 3_600_000L);
        for (int width : new int[] {390, 1_280}) {
            page.setViewportSize(width, 900);
            page.navigate(harness.url());
            ticksUntilLive();
            shows(".tile:has-text('Last Iceberg commit')", "12 d ago");
            assertThat(page.evaluate("[...document.querySelectorAll('.tile .figure')]"
                            + ".filter((f) => f.scrollWidth > f.clientWidth).map((f) => f.textContent).join()"))
                    .as("at " + width)
                    .isEqualTo("");
            assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(width);
        }
    }

    @Test
    void shouldSayInAnAlertThatItIsNotKnownWhetherWindowsWereComplete() {
        harness.tick(100);
        harness.raise(harness.services.alertOf("earlier", 1_800_000_001_000L));
        page.navigate(harness.url());
        page.locator("alert-feed tbody tr").first().click();
        shows(
                "alert-details dialog .explained",
                "Whether windows were complete is not known: an earlier Vigil did not keep it.");
        assertThat(complaints).isEmpty();
    }

    // Field case F04.
    @Test
    void shouldShowMarkupFromOutsideAsText() {
        harness.tick(100);
        String markup = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>";
        Alert alert = harness.services.alert(1_800_000_001_000L);
        harness.raise(new Alert(
                alert.alertId(),
                markup,
                "javascript:window.hacked=1",
                markup,
                "\"><svg/onload=window.hacked=1>",
                alert.eventTimeUs(),
                alert.ingestTimeMs(),
                alert.position(),
                markup,
                1,
                "<b>",
                99,
                alert.decision(),
                markup,
                0,
                Map.of("merchant", markup, "amount", markup, markup, markup),
                List.of(new RuleHit(markup, 1, markup, Map.of(markup, markup)))));
        page.navigate(harness.url());
        shows("alert-feed", markup);
        shows("alert-feed", "\"><svg/onload=window.hacked=1>");
        page.locator("alert-feed tbody tr").first().click();
        shows("alert-details dialog", markup);
        assertThat(page.evaluate("window.hacked")).isNull();
        assertThat(page.locator("alert-feed img, alert-feed svg, alert-details img, alert-details script")
                        .count())
                .isZero();
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldWorkWithNothingToShow() {
        try (PageHarness empty = new PageHarness(1_800_000_000_000L, 0, null, 4)) {
            empty.server.start("dashboard");
            page.navigate(empty.url());
            shows("alert-feed", "No alert yet");
            shows(".tiles", "–");
            PlaywrightAssertions.assertThat(page.locator("history-query")).hasCount(0);
            empty.tick(0);
            shows(".connection", "live");
            shows(".side-column", "No service is known");
        }
        assertThat(complaints.stream().filter(c -> !c.contains("ERR_"))).isEmpty();
    }

    @Test
    void shouldConnectAgainByItself() {
        harness.tick(100);
        page.navigate(harness.url());
        ticksUntilLive();
        int port = harness.server.port();
        harness.close();
        shows(".connection", "reconnecting");

        harness = new PageHarness(1_800_000_100_000L, port, PageHarness::answer, 4);
        harness.services.addTo(harness.board, () -> 1_800_000_100_000L);
        harness.server.start("dashboard");
        Alert missed = harness.raise();
        shows("alert-feed tbody tr", missed.account());
        ticksUntilLive();
    }

    @Test
    void shouldAnswerQueriesAndTellWhatIsWrongWithThem() {
        page.navigate(harness.url());
        Locator sql = page.locator("history-query textarea");
        page.locator("history-query button:has-text('Run')").click();
        shows("history-query .result", "9223372036854775807");
        sql.fill("DROP TABLE x");
        sql.press("Control+Enter");
        shows("history-query .problem", "expected a SELECT statement");
    }

    @Test
    void shouldListDeadLettersShowOneAndPutItBack() {
        LetterPosition row =
                harness.letters.add(0, 1_800_000_000_000L, null, null, Letters.of(BAD_FIELD, "cdc-ingest"));
        LetterPosition record = harness.letters.add(
                1,
                1_800_000_000_500L,
                Letters.bytes("acc-1"),
                Letters.bytes("{\"pan\":\"4111 1111 1111 1111\"}"),
                Letters.ofEngine(BAD_AMOUNT, "amount: expected a decimal number", 1, 7));
        page.navigate(harness.url());
        shows("dead-letter-list tbody tr:nth-of-type(1)", "bad_amount");
        shows("dead-letter-list tbody tr:nth-of-type(1)", "amount: expected a decimal number");
        shows("dead-letter-list tbody tr:nth-of-type(2)", row.toString());
        shows("dead-letter-list tbody tr:nth-of-type(2)", "cannot be retried");

        page.locator("dead-letter-list button:text-is('" + record + "')").click();
        shows("dead-letter-list .facts", "vigil.events:1:7");
        shows("dead-letter-list .facts", "acc-1");
        shows("dead-letter-list .bytes", "{\"pan\":\"4111 11** **** 1111\"}");

        page.locator("dead-letter-list button:text-is('retry')").click();
        shows("dead-letter-list tbody tr:nth-of-type(1)", "retried");
        assertThat(harness.letters.putBack()).hasSize(1);
        PlaywrightAssertions.assertThat(page.locator("dead-letter-list button:text-is('retry again')"))
                .hasCount(1);
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldListOlderDeadLettersOnDemandAndNewOnesByThemselves() {
        for (int i = 0; i < 25; i++) {
            harness.letters.add(
                    0, 1_800_000_000_000L + i, null, null, Letters.ofEngine(BAD_FIELD, "letter " + i, 0, i));
        }
        page.navigate(harness.url());
        ticksUntilLive();
        Locator rows = page.locator("dead-letter-list tbody tr");
        shows("dead-letter-list tbody tr", "letter 24");
        PlaywrightAssertions.assertThat(rows).hasCount(20);
        page.locator("dead-letter-list button:text-is('older')").click();
        PlaywrightAssertions.assertThat(rows).hasCount(25);

        harness.letters.add(0, 1_800_000_001_000L, null, null, Letters.ofEngine(BAD_FIELD, "letter 25", 0, 25));
        harness.services.deadLetters(1);
        harness.tick(1);
        shows("dead-letter-list tbody tr", "letter 25");
        assertThat(complaints).isEmpty();
    }

    // Field case F04.
    @Test
    void shouldShowMarkupInDeadLettersAsText() {
        String markup = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>";
        List<LetterHeader> headers = new ArrayList<>(List.of(Letters.header(markup, markup)));
        headers.addAll(Letters.ofEngine(BAD_FIELD, markup, 0, 1));
        headers.add(Letters.header("vigil-stage", markup));
        headers.add(Letters.header("vigil-reason", markup));
        harness.letters.add(0, 1_800_000_000_000L, Letters.bytes(markup), Letters.bytes(markup), headers);
        page.navigate(harness.url());
        shows("dead-letter-list", markup);
        page.locator("dead-letter-list button:text-is('0:0')").click();
        shows("dead-letter-list .bytes", markup);
        assertThat(page.evaluate("window.hacked")).isNull();
        assertThat(page.locator("dead-letter-list img, dead-letter-list script").count())
                .isZero();
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldSayThatTheBrokerDoesNotTellDeadLetters() {
        harness.letters.away(true);
        page.navigate(harness.url());
        shows("dead-letter-list .problem", "The broker did not answer");
        harness.letters.away(false);
        page.locator("dead-letter-list button:text-is('refresh')").click();
        shows("dead-letter-list", "None. Every record could be used.");
    }

    @Test
    void shouldShowTheApiDocument() {
        page.navigate(harness.url() + "/docs");
        shows("#docs", "/api/v1/events");
        assertThat(complaints).isEmpty();
    }
}
