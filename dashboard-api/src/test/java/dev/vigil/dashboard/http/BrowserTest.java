package dev.vigil.dashboard.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A server over fakes and a real browser: Chromium and Node of the machine; skipped where there are none. */
abstract class BrowserTest {
    private static final LocatorAssertions.ContainsTextOptions PATIENT =
            new LocatorAssertions.ContainsTextOptions().setTimeout(15_000);

    private static Playwright playwright;
    private static Browser browser;

    final List<String> complaints = new ArrayList<>();
    PageHarness harness;
    BrowserContext context;
    Page page;

    @BeforeAll
    static void startBrowser() {
        Optional<Path> chromium = firstOf("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
        Optional<Path> node = firstOf("/usr/bin/node", "/usr/local/bin/node");
        assumeTrue(chromium.isPresent(), "no Chromium on this machine");
        assumeTrue(node.isPresent(), "no Node on this machine, which the test's browser driver runs on");
        System.setProperty("playwright.nodejs.path", node.get().toString());
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium.get())
                        .setArgs(List.of("--no-sandbox")));
    }

    private static Optional<Path> firstOf(String... paths) {
        return Stream.of(paths).map(Path::of).filter(Files::isExecutable).findFirst();
    }

    @AfterAll
    static void stopBrowser() {
        if (playwright != null) {
            playwright.close();
        }
    }

    @BeforeEach
    void open() {
        harness = PageHarness.started();
        context = browser.newContext(new Browser.NewContextOptions().setViewportSize(1400, 1000));
        page = context.newPage();
        page.onPageError(complaints::add);
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                complaints.add(message.text());
            }
        });
    }

    @AfterEach
    void close() {
        context.close();
        harness.close();
    }

    final void shows(String selector, String text) {
        PlaywrightAssertions.assertThat(page.locator(selector).first()).containsText(text, PATIENT);
    }

    /** A figure that is sent before the page listens is not sent again. */
    final void ticksUntilLive() {
        Locator connection = page.locator(".connection").first();
        for (int i = 0; i < 300 && !connection.textContent().contains("live"); i++) {
            harness.tick(100);
            page.waitForTimeout(100);
        }
        shows(".connection", "live");
    }
}
