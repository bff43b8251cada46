package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.dashboard.intake.FakePolicies;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much one client may send, over sockets that come from several addresses of this machine. */
final class IntakeLimitsTest {
    private static final String ONE = "127.0.0.1";
    private static final String OTHER = "127.0.0.2";

    private PageHarness harness;

    private void start(String rateLimit) {
        harness = new PageHarness(
                1_800_000_000_000L,
                0,
                null,
                FakePolicies.config("{max-events: 10, rate-limit: " + rateLimit + "}"),
                FakePolicies.active(FakePolicies.takingAll()));
        harness.server.start("dashboard");
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private static String batch(int events) {
        return IntStream.range(0, events)
                .mapToObj(i -> "{\"specversion\":\"1.0\",\"id\":\"e" + i + "\",\"source\":\"/s\",\"type\":\"login\","
                        + "\"subject\":\"a\",\"time\":\"2026-11-30T06:55:24Z\",\"data\":{}}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private String post(String from, String body, String... headers) {
        try (Socket socket =
                new Socket(InetAddress.getByName("127.0.0.1"), harness.server.port(), InetAddress.getByName(from), 0)) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            + "Content-Type: application/cloudevents-batch+json\r\nContent-Length: " + body.length()
                            + "\r\n"
                            + java.util.Arrays.stream(headers)
                                    .map(h -> h + "\r\n")
                                    .collect(Collectors.joining())
                            + "\r\n" + body)
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private int status(String from, String body, String... headers) {
        return RawHttp.status(post(from, body, headers));
    }

    @Test
    void shouldTurnAwayTheClientThatSendsTooMuchAndNoOther() {
        start("{events-per-second: 1, burst: 20}");
        assertThat(status(ONE, batch(10))).isEqualTo(202);
        assertThat(status(ONE, batch(9))).isEqualTo(202);

        String answer = post(ONE, batch(10));

        assertThat(RawHttp.status(answer)).isEqualTo(429);
        assertThat(answer).contains("urn:vigil:problem:rate-limited").containsPattern("Retry-After: ([3-9]|10)\r\n");
        assertThat(status(OTHER, batch(10))).isEqualTo(202);
        assertThat(harness.log.events()).hasSize(29);
        assertThat(harness.meters.scrape()).contains("vigil_intake_turned_away_total{reason=\"rate-limited\"} 1.0");
    }

    @Test
    void shouldServeTwoClientsAtOnceOfWhichOneIsOverItsLimit() {
        start("{events-per-second: 1, burst: 100}");
        CompletableFuture<Long> greedy = CompletableFuture.supplyAsync(() -> IntStream.range(0, 40)
                .filter(i -> status(ONE, batch(10)) == 202)
                .count());
        CompletableFuture<Long> modest = CompletableFuture.supplyAsync(() -> IntStream.range(0, 40)
                .filter(i -> status(OTHER, batch(2)) == 202)
                .count());

        assertThat(modest.join()).isEqualTo(40);
        assertThat(greedy.join()).isBetween(9L, 39L);
    }

    @Test
    void shouldCountWhatIsRefusedToo() {
        start("{events-per-second: 1, burst: 10}");
        assertThat(status(ONE, "[1,2,3,4,5,6,7,8,9,10]")).isEqualTo(400);
        assertThat(status(ONE, batch(1))).isEqualTo(429);
    }

    @Test
    void shouldNotBelieveForwardedForUnlessTheProxyIsTrusted() {
        start("{events-per-second: 1, burst: 10}");
        assertThat(status(ONE, batch(10), "X-Forwarded-For: 192.0.2.1")).isEqualTo(202);
        assertThat(status(ONE, batch(10), "X-Forwarded-For: 192.0.2.2")).isEqualTo(429);
    }

    @Test
    void shouldKnowClientsBehindATrustedProxyByTheLastAddressThatIsNoProxy() {
        start("{events-per-second: 1, burst: 10, trusted-proxies: [127.0.0.1, 10.0.0.0/8]}");
        assertThat(status(ONE, batch(10), "X-Forwarded-For: 192.0.2.1")).isEqualTo(202);
        assertThat(status(ONE, batch(10), "X-Forwarded-For: 192.0.2.2, 10.1.2.3"))
                .isEqualTo(202);
        assertThat(status(ONE, batch(10), "X-Forwarded-For: 192.0.2.9", "X-Forwarded-For: 192.0.2.2"))
                .as("the first one is the client's own invention")
                .isEqualTo(429);
        assertThat(status(OTHER, batch(10), "X-Forwarded-For: 192.0.2.2"))
                .as("not through the proxy")
                .isEqualTo(202);
        assertThat(status(OTHER, batch(10), "X-Forwarded-For: 192.0.2.3")).isEqualTo(429);
        assertThat(status(ONE, batch(10), "X-Forwarded-For: nonsense"))
                .as("the proxy's own")
                .isEqualTo(202);
        assertThat(status(ONE, batch(10))).isEqualTo(429);
    }

    @Test
    void shouldTakeAnyNumberWithoutALimit() {
        start("{events-per-second: 0}");
        for (int i = 0; i < 30; i++) {
            assertThat(status(ONE, batch(10))).isEqualTo(202);
        }
    }
}
