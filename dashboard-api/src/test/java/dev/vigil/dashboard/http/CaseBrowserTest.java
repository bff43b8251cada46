package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.SelectOption;
import dev.vigil.dashboard.cases.SampleCases;
import dev.vigil.dashboard.intake.FakePolicies;
import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.Disposition;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Working cases off in a real browser. */
final class CaseBrowserTest extends BrowserTest {
    private static final String ROWS = "case-list tbody tr";

    /** Signed up as ann, at the only case, if the test has made but one. */
    private void openCase(String id) {
        context.addInitScript("localStorage.setItem('vigil.name', 'ann')");
        page.navigate(harness.url() + "#case=" + id);
        shows("case-details dialog", "Acting as ann");
    }

    /** What the page shows changes by what is done there alone. */
    private void withoutRefreshing() {
        context.addInitScript("window.setInterval = () => 0");
    }

    private void click(String label) {
        page.locator("case-actions button:text-is('" + label + "')").click();
    }

    private Locator dialog() {
        return page.locator("case-details dialog");
    }

    private void somebodyElse(CaseAction.Kind kind, @Nullable Disposition disposition) {
        harness.cases.append(new CaseAction(
                "other", "c1", "A-1", kind, "jo", 1_800_000_000_500L, null, null, disposition, null, null));
    }

    @Test
    void shouldAskForTheNameOnceAndWorkACaseOff() {
        harness.cases.put(SampleCases.of("c1", "A-1"));
        harness.cases.put(SampleCases.of("c2", "A-2"));
        page.navigate(harness.url());
        shows(ROWS, "A-1");
        page.locator(ROWS + ":has-text('A-1')").click();
        shows("case-details", "Your name");
        page.locator("case-actions input[name=name]").fill("ann");
        page.keyboard().press("Enter");
        shows("case-details", "Acting as ann");

        click("acknowledge");
        shows("case-details .said", "Acknowledged.");
        shows("case-details .history tr", "acknowledge");
        page.locator("case-actions textarea").fill("called them");
        click("add note");
        shows("case-details .history tr", "called them");
        PlaywrightAssertions.assertThat(page.locator("case-actions textarea")).hasValue("");
        click("assign to me");
        shows("case-details .facts", "ann");
        page.locator("case-actions textarea").fill("card was stolen");
        click("fraud");
        shows("case-details .pill", "closed as fraud");
        shows("case-details .history tr", "as fraud: card was stolen");
        assertThat(harness.cases.appended())
                .extracting(CaseAction::kind)
                .containsExactly(
                        CaseAction.Kind.ACKNOWLEDGE,
                        CaseAction.Kind.NOTE,
                        CaseAction.Kind.ASSIGN,
                        CaseAction.Kind.CLOSE);
        assertThat(harness.cases.appended()).extracting(CaseAction::by).containsOnly("ann");
        page.keyboard().press("Escape");
        PlaywrightAssertions.assertThat(dialog()).not().isVisible();
        PlaywrightAssertions.assertThat(page.locator(ROWS)).hasCount(1);
        page.locator("case-list button:text-is('closed')").click();
        shows(ROWS, "closed as fraud");

        page.reload();
        page.locator(ROWS).first().click();
        shows("case-details", "Acting as ann");
        click("assign to me");
        shows("case-details .said", "Assigned.");
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldReopenSnoozeAndEndASnooze() {
        harness.cases.put(SampleCases.of("c1", "A-1"));
        somebodyElse(CaseAction.Kind.CLOSE, Disposition.UNSURE);
        openCase("c1");
        click("reopen");
        shows("case-details .pill", "acknowledged");
        page.locator("case-actions select").selectOption(new SelectOption().setValue("1d"));
        click("snooze");
        shows("case-details .facts", "until 2027-01-16");
        shows("case-list", "snoozed");
        click("end snooze");
        shows("case-details .said", "The snooze is over.");
        page.locator("case-actions select").selectOption(new SelectOption().setValue("until"));
        PlaywrightAssertions.assertThat(page.locator("case-actions button:text-is('snooze')"))
                .isDisabled();
        page.locator("case-actions input[type=datetime-local]").fill("2027-01-20T12:00");
        click("snooze");
        shows("case-details .facts", "until 2027-01-20 12:00 by ann");
        page.locator("case-actions input[aria-label='Assign to']").fill("jo");
        page.keyboard().press("Enter");
        shows("case-details .said", "Assigned.");
        click("unassign");
        shows("case-details .facts", "nobody");
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldShowThatSomebodyWasFasterAndLetOneGoOn() {
        withoutRefreshing();
        harness.cases.put(SampleCases.of("c1", "A-1"));
        openCase("c1");
        somebodyElse(CaseAction.Kind.CLOSE, Disposition.FRAUD);
        page.locator("case-actions textarea").fill("it was them");
        click("legitimate");
        shows("case-details .said.problem", "Somebody was faster. Nothing was done");
        shows("case-details .said.problem", "close by jo");
        shows("case-details .pill", "closed as fraud");
        PlaywrightAssertions.assertThat(page.locator("case-actions textarea")).hasValue("it was them");
        page.locator("case-details button:text-is('do it nevertheless')").click();
        shows("case-details .pill", "closed as legitimate");
        shows("case-details .history tr", "as legitimate: it was them");
    }

    @Test
    void shouldGoOnByItselfWhereOnlyAlertsCameUnlessTheyMatter() {
        withoutRefreshing();
        harness.cases.put(SampleCases.of("c1", "A-1"));
        openCase("c1");
        harness.cases.alert("c1");
        click("acknowledge");
        shows("case-details .said", "Acknowledged.");
        harness.cases.alert("c1");
        click("legitimate");
        shows("case-details .said.problem", "Another alert came meanwhile. Nothing was done");
        shows("case-details .case-alerts", "not sent: cooldown");
        PlaywrightAssertions.assertThat(page.locator("case-details .case-alerts tr"))
                .hasCount(4);
        page.locator("case-details button:text-is('leave it')").click();
        PlaywrightAssertions.assertThat(page.locator("case-details .said")).hasCount(0);
        assertThat(harness.cases.appended()).hasSize(1);
    }

    @Test
    void shouldSayThatAnActionIsStoredAndShowItOnceItIsTaken() {
        harness.cases.put(SampleCases.of("c1", "A-1"));
        openCase("c1");
        harness.cases.hold(true);
        click("acknowledge");
        shows("case-details .said", "Stored. Alerting has not taken it yet");
        harness.cases.hold(false);
        shows("case-details .pill", "acknowledged");
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldSendAgainUnderTheSameIdWhatTheBrokerDidNotConfirm() {
        harness.cases.put(SampleCases.of("c1", "A-1"));
        openCase("c1");
        harness.cases.brokerAway(true);
        click("acknowledge");
        shows("case-details .said.problem", "The broker did not confirm the action");
        String said = page.locator("case-details .said.problem").textContent();
        harness.cases.brokerAway(false);
        page.locator("case-details button:text-is('try again')").click();
        shows("case-details .said", "Acknowledged.");
        assertThat(said).contains(harness.cases.appended().get(0).actionId());
    }

    @Test
    void shouldRefuseACardNumberInANote() {
        harness.cases.put(SampleCases.of("c1", "A-1"));
        openCase("c1");
        page.locator("case-actions textarea").fill("paid with 4111 1111 1111 1111");
        click("add note");
        shows("case-details .said.problem", "card number");
        assertThat(harness.cases.appended()).isEmpty();
    }

    @Test
    void shouldNarrowTheListAndListOlderCasesOnDemand() {
        for (int i = 10; i < 35; i++) {
            harness.cases.put(SampleCases.of("c" + i, "A-" + i));
        }
        context.addInitScript("localStorage.setItem('vigil.name', 'ann')");
        page.navigate(harness.url());
        PlaywrightAssertions.assertThat(page.locator(ROWS)).hasCount(20);
        page.locator("case-list button:text-is('older')").click();
        PlaywrightAssertions.assertThat(page.locator(ROWS)).hasCount(25);
        page.locator("case-list input[placeholder=account]").fill("A-30");
        PlaywrightAssertions.assertThat(page.locator(ROWS)).hasCount(1);
        page.locator(ROWS).first().click();
        click("assign to me");
        shows("case-details .said", "Assigned.");
        page.keyboard().press("Escape");
        page.locator("case-list input[placeholder=account]").fill("");
        page.locator("case-list button:text-is('mine')").click();
        PlaywrightAssertions.assertThat(page.locator(ROWS)).hasCount(1);
        shows(ROWS, "A-30");
        page.locator("case-list input[placeholder=assignee]").fill("nobody of this name");
        shows("case-list", "No case matches.");
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldListANewCaseByItself() {
        page.navigate(harness.url());
        shows("case-list", "No case. The first alert of a group opens one.");
        harness.cases.put(SampleCases.of("c1", "A-1"));
        shows("case-list", "A-1");
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldLeadFromAnAlertToItsCaseAndBack() {
        harness.cases.put(SampleCases.of("c1", "A-1"));
        harness.cases.put(SampleCases.of("c2", "A-2"));
        harness.tick(100);
        Alert alert = harness.raise(harness.services.alertOf("A-2", 1_800_000_001_000L));
        page.navigate(harness.url());
        page.locator("alert-feed tbody tr").first().click();
        page.locator("alert-details button:text-is('open case c2')").click();
        PlaywrightAssertions.assertThat(page.locator("alert-details dialog"))
                .not()
                .isVisible();
        shows("case-details .drawer-title", "A-2");
        assertThat(page.url()).endsWith("#case=c2");
        page.keyboard().press("Escape");
        page.locator("alert-feed tbody button:text-is('case')").click();
        shows("case-details .drawer-title", "A-2");
        page.keyboard().press("Escape");

        harness.deliver(alert, Delivery.Outcome.SUPPRESSED, 0);
        shows("alert-feed tbody tr", "suppressed");
        page.locator("alert-feed tbody tr").first().click();
        shows("alert-details", "Not sent: cooldown: after alert al_5eed00017b21.");
        page.keyboard().press("Escape");
        page.locator("alert-feed tbody button:text-is('case')").click();
        shows("case-details .drawer-title", "A-1");
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldOpenAnAlertOfACaseAndSayIfItIsKeptNoLonger() {
        Alert alert = harness.services.alertOf("A-1", 1_800_000_001_000L);
        harness.cases.put(SampleCases.withAlert(SampleCases.of("c1", "A-1"), alert.alertId()));
        harness.raise(alert);
        openCase("c1");
        page.locator("case-details .case-alerts button").first().click();
        shows("alert-details dialog", alert.alertId());
        page.keyboard().press("Escape");
        PlaywrightAssertions.assertThat(page.locator("alert-details dialog"))
                .not()
                .isVisible();
        PlaywrightAssertions.assertThat(dialog()).isVisible();
        assertThat(complaints).isEmpty();
        page.locator("case-details .case-alerts button").last().click();
        shows("case-details .said.problem", "not among the recent alerts");
    }

    @Test
    void shouldBeWorkedByKeysAlone() {
        harness.cases.put(SampleCases.of("c1", "A-1"));
        context.addInitScript("localStorage.setItem('vigil.name', 'ann')");
        page.navigate(harness.url());
        page.locator(ROWS).first().focus();
        page.keyboard().press("Enter");
        shows("case-details", "Acting as ann");
        page.locator("case-actions textarea").focus();
        page.keyboard().press("Tab");
        page.keyboard().press("Enter");
        shows("case-details .said", "Acknowledged.");
        PlaywrightAssertions.assertThat(page.locator("case-details .said")).isFocused();
        page.keyboard().press("Escape");
        PlaywrightAssertions.assertThat(dialog()).not().isVisible();
        PlaywrightAssertions.assertThat(page.locator(ROWS).first()).isFocused();
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldActAsWhomTheProxyNames() {
        harness.close();
        harness = new PageHarness(
                1_800_000_000_000L,
                0,
                PageHarness::answer,
                FakePolicies.config("{rate-limit: {trusted-proxies: [127.0.0.0/8]}}"),
                FakePolicies.active(FakePolicies.takingAll()),
                "X-Forwarded-User");
        harness.server.start("dashboard");
        harness.cases.put(SampleCases.of("c1", "A-1"));
        context.setExtraHTTPHeaders(Map.of("X-Forwarded-User", "jane"));
        context.addInitScript("localStorage.setItem('vigil.name', 'ann')");
        page.navigate(harness.url() + "#case=c1");
        shows("case-details", "Signed in as jane");
        PlaywrightAssertions.assertThat(page.locator("case-actions button:text-is('change')"))
                .hasCount(0);
        click("acknowledge");
        shows("case-details .said", "Acknowledged.");
        assertThat(harness.cases.appended()).extracting(CaseAction::by).containsExactly("jane");
        assertThat(complaints).isEmpty();
    }

    // Field case F04.
    @Test
    void shouldShowMarkupInCasesAsText() {
        String markup = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>";
        harness.cases.put(SampleCases.saying(SampleCases.of("c1", "A-1"), markup));
        openCase("c1");
        shows("case-list", markup);
        shows("case-details .history", markup);
        shows("case-details .facts", markup);
        shows("case-details .case-alerts", markup);
        assertThat(page.evaluate("window.hacked")).isNull();
        assertThat(page.locator("case-list img, case-list script, case-details img, case-details script")
                        .count())
                .isZero();
        assertThat(complaints).isEmpty();
    }

    @Test
    void shouldStayWithinThePageOnAnyScreen() {
        harness.cases.put(SampleCases.of("c1", "A-1"));
        harness.cases.put(SampleCases.saying(SampleCases.of("c2", "A-2"), "w".repeat(300)));
        for (int width : new int[] {390, 1_280}) {
            page.setViewportSize(width, 900);
            for (String id : new String[] {"c1", "c2"}) {
                openCase(id);
                page.reload();
                shows("case-details .facts", "rules");
                assertThat(page.evaluate("document.documentElement.scrollWidth"))
                        .as("page at " + width)
                        .isEqualTo(width);
                assertThat(page.evaluate("(() => { const b = document.querySelector('case-details .drawer-body');"
                                + " return b.scrollWidth <= b.clientWidth })()"))
                        .as(id + " at " + width)
                        .isEqualTo(true);
            }
        }
    }

    @Test
    void shouldSayThatAlertingDoesNotAnswerAndGoOnOnceItDoes() {
        harness.cases.put(SampleCases.of("c1", "A-1"));
        harness.cases.away(true);
        page.navigate(harness.url());
        shows("case-list .problem", "no alerting listens at http://alerting:8081");
        harness.cases.away(false);
        shows(ROWS, "A-1");
        PlaywrightAssertions.assertThat(page.locator("case-list .problem")).hasCount(0);
    }
}
