package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.vigil.dashboard.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Bodies that no well-behaved client sends, byte by byte. */
final class HostileIntakeTest {
    private static final String STRUCTURED = "application/cloudevents+json";
    private static final String EVENT = "{\"specversion\":\"1.0\",\"id\":\"e\",\"source\":\"/s\",\"type\":\"login\","
            + "\"subject\":\"a\",\"time\":\"2026-11-30T06:55:24Z\",\"data\":{\"device\":\"d\"}}";

    private PageHarness harness;

    @BeforeEach
    void start() {
        harness = PageHarness.started();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private String post(String contentType, byte[] body) {
        String head = "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + (contentType.isEmpty() ? "" : "Content-Type: " + contentType + "\r\n")
                + "Content-Length: " + body.length + "\r\n\r\n";
        try (Socket socket = new Socket("127.0.0.1", harness.server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String post(String contentType, String body) {
        return post(contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    private void assertRefused(String answer, int status, String code) {
        assertThat(RawHttp.status(answer)).as(answer).isEqualTo(status);
        assertThat(answer)
                .contains("application/problem+json", code)
                .doesNotContain("Exception", "at dev.vigil", "jackson");
        assertThat(harness.log.events()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "application/json",
                "text/plain",
                "application/cloudevents+xml",
                "application/cloudevents",
                "application/cloudevents+json2",
                "multipart/form-data; boundary=x",
                "*/*",
                ";",
                "application/cloudevents+json, application/json"
            })
    void shouldAnswer415ToOtherContentTypes(String contentType) {
        assertRefused(post(contentType, EVENT), 415, "unsupported-media-type");
    }

    @Test
    void shouldTakeContentTypesHoweverTheyAreWritten() {
        for (String type :
                new String[] {"APPLICATION/CloudEvents+JSON", STRUCTURED + " ; charset=UTF-8", STRUCTURED + ";x"}) {
            assertThat(RawHttp.status(post(type, EVENT))).as(type).isEqualTo(202);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":", "[{\"a\":"})
    void shouldRefuseAMegabyteOfNesting(String piece) {
        String nesting = piece.repeat((1_000_000 - EVENT.length()) / piece.length());
        assertRefused(post(STRUCTURED, nesting), 400, "malformed");
        assertRefused(post(STRUCTURED, EVENT.replace("\"d\"", nesting)), 400, "malformed");
        assertRefused(post("application/cloudevents-batch+json", "[" + nesting), 400, "malformed");
    }

    @Test
    void shouldRefuseKeysThatStandTwice() {
        assertRefused(post(STRUCTURED, EVENT.replace("\"id\":", "\"id\":\"x\",\"id\":")), 400, "malformed");
        assertRefused(post(STRUCTURED, EVENT.replace("\"device\":", "\"device\":1,\"device\":")), 400, "malformed");
        assertRefused(
                post(STRUCTURED, EVENT.replace("\"device\":", "\"devic\\u0065\":1,\"device\":")), 400, "malformed");
        assertRefused(post(STRUCTURED, EVENT.replace("\"d\"", "[{\"x\":1,\"x\":2}]")), 400, "malformed");
        String twice = EVENT.replace("\"data\":", "\"data\":{},\"data\":");
        assertRefused(post(STRUCTURED, twice), 400, "malformed");
    }

    @Test
    void shouldRefuseAHeaderThatStandsTwice() {
        String head = "POST /api/v1/events HTTP/1.1\r\n"
                + "Host: localhost\r\n"
                + "Connection: close\r\n"
                + "Content-Length: 2\r\n"
                + "Content-Type: application/json\r\n"
                + "ce-specversion: 1.0\r\n"
                + "ce-id: 1\r\n"
                + "CE-ID: 2\r\n"
                + "ce-source: /s\r\n"
                + "ce-type: login\r\n"
                + "ce-subject: a\r\n"
                + "ce-time: 2026-11-30T06:55:24Z\r\n"
                + "ce-time: 2026-11-30T06:55:25Z\r\n";
        assertRefused(RawHttp.exchange(harness.server.port(), head + "\r\n{}"), 400, "\"time\"");
    }

    private String postBinary(String id, String more) {
        String head = "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n"
                + "Content-Type: application/json\r\nce-specversion: 1.0\r\nce-source: /s\r\nce-type: login\r\n"
                + "ce-subject: a\r\nce-time: 2026-11-30T06:55:24Z\r\nce-id: " + id + "\r\n" + more + "\r\n{}";
        return RawHttp.exchange(harness.server.port(), head);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"cc-%ff%fe", "cc-%C3", "%ED%A0%80", "%C0%80", "cc-%zz", "cc-%", "cc-%4", "%4g", "\"%\"", "% 41"})
    void shouldRefuseHeadersThatAreNoPercentEncodedUtf8(String id) {
        String answer = postBinary(id, "");
        assertRefused(answer, 400, "malformed");
        assertThat(answer).contains("\"field\":\"id\"", "expected ", "found ");
        assertThat(harness.server.refusedEvents()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ce-id: e", "CE-ID: other"})
    void shouldRefuseAnAttributeThatStandsTwice(String again) {
        String answer = postBinary("e", again + "\r\n");
        assertRefused(answer, 400, "malformed");
        assertThat(answer).contains("\"field\":\"id\"", "found several");
    }

    @Test
    void shouldRefuseRawBytesInHeadersRatherThanMakeDifferentIdsOne() {
        String first = postBinary("cc-\u00ff\u00fe", "");
        String second = postBinary("cc-\u00fe\u00ff", "");
        boolean areTaken = RawHttp.status(first) == 202 && RawHttp.status(second) == 202;
        assertThat(harness.log.events())
                .hasSize(areTaken ? 2 : 0)
                .extracting(e -> e.id())
                .doesNotHaveDuplicates();
        assertThat(RawHttp.status(first)).isEqualTo(RawHttp.status(second)).isIn(202, 400);
    }

    @Test
    void shouldDecodeWhateverUtf8Encodes() {
        assertThat(RawHttp.status(postBinary("%F0%9F%98%80%25%EF%BF%BD", ""))).isEqualTo(202);
        assertThat(harness.log.events().get(0).id()).isEqualTo("\uD83D\uDE00%\uFFFD");
    }

    @Test
    void shouldRefuseWhatIsNotUtf8() {
        byte[] event = EVENT.getBytes(StandardCharsets.UTF_8);
        int at = EVENT.indexOf("\"d\"") + 1;
        for (byte[] bytes : new byte[][] {
            {(byte) 0xFF}, {(byte) 0xC3}, {(byte) 0xC0, (byte) 0x80}, {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, {0}
        }) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.write(event, 0, at);
            body.writeBytes(bytes);
            body.write(event, at, event.length - at);
            assertRefused(post(STRUCTURED, body.toByteArray()), 400, "malformed");
        }
        assertRefused(post(STRUCTURED, EVENT.getBytes(StandardCharsets.UTF_16)), 400, "malformed");
    }

    @Test
    void shouldRefuseBodiesThatAreCut() {
        for (int length = 0; length < EVENT.length(); length += 7) {
            assertRefused(post(STRUCTURED, EVENT.substring(0, length)), 400, "\"code\"");
        }
        String batch = "[" + EVENT + "," + EVENT;
        assertRefused(post("application/cloudevents-batch+json", batch), 400, "malformed");
    }

    @Test
    void shouldPublishNothingOfABodyWhoseSenderLeaves() throws IOException {
        String head = "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + STRUCTURED
                + "\r\nContent-Length: " + (EVENT.length() + 1) + "\r\n\r\n";
        for (int i = 0; i < 20; i++) {
            try (Socket socket = new Socket("127.0.0.1", harness.server.port())) {
                socket.getOutputStream().write((head + EVENT).getBytes(StandardCharsets.US_ASCII));
                socket.setSoLinger(i % 2 == 0, 0);
            }
        }
        assertThat(RawHttp.status(post(STRUCTURED, EVENT.replace("\"e\"", "\"whole\""))))
                .isEqualTo(202);
        Patience.await().until(() -> harness.log.events().size() == 1);
        assertThat(harness.log.events().get(0).id()).isEqualTo("whole");
    }

    /** As Jetty tells of a body whose connection was closed since it took too long. */
    @Test
    void shouldLogNoErrorOfAClientThatIsGone() {
        IOException failure = new ClosedChannelException();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Logger problems = (Logger) LoggerFactory.getLogger(Problems.class);
        Level before = problems.getLevel();
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.list = new CopyOnWriteArrayList<>();
        logged.start();
        root.addAppender(logged);
        problems.setLevel(Level.DEBUG);
        WebServer.Routes reading = routes -> routes.post("/read", ctx -> {
            throw failure;
        });
        try (WebServer server =
                WebServer.start(HttpConfig.local(0), "dashboard", 1_024, new SimpleMeterRegistry(), List.of(reading))) {
            RawHttp.exchange(
                    server.port(),
                    "POST /read HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            assertThat(logged.list)
                    .extracting(ILoggingEvent::getLevel, ILoggingEvent::getFormattedMessage)
                    .containsExactly(tuple(Level.DEBUG, "client went away: " + failure));
        } finally {
            problems.setLevel(before);
            root.detachAppender(logged);
            logged.stop();
        }
    }

    // Field case H07.
    @Test
    void shouldRepeatNoCardNumberWhereverItStands() {
        String pan = "4111111111111111";
        for (String body : new String[] {
            EVENT.replace("\"d\"", "\"" + pan + "\""),
            EVENT.replace("\"device\"", "\"" + pan + "\""),
            EVENT.replace("\"type\":\"login\"", "\"type\":\"" + pan + "\""),
            EVENT.replace("2026-11-30T06:55:24Z", pan),
            EVENT.replace("\"1.0\"", "\"" + pan + "\""),
            EVENT.replace("\"data\":", "\"" + pan + "\":1,\"data\":"),
            EVENT.replace("\"d\"", pan + "x"),
            EVENT.replace("\"data\":", "\"datacontenttype\":\"" + pan + "\",\"data\":"),
            "{\"" + pan + "\"",
            pan
        }) {
            String answer = post(STRUCTURED, body);
            assertThat(RawHttp.status(answer)).as(body).isEqualTo(400);
            assertThat(answer).as(body).doesNotContain(pan, pan.substring(0, 12));
        }
        assertThat(harness.meters.scrape()).doesNotContain("4111");
    }
}
