package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.dashboard.explain.Explanations;
import dev.vigil.dashboard.http.HttpConfig;
import dev.vigil.dashboard.http.ServiceEndpoint;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.Decision;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Explanation;
import dev.vigil.event.Explanation.Contributor;
import dev.vigil.event.Explanation.Doubt;
import dev.vigil.event.Explanation.Feature;
import dev.vigil.event.Explanation.Later;
import dev.vigil.event.Explanation.Rule;
import dev.vigil.event.Explanation.Window;
import dev.vigil.event.FieldType;
import dev.vigil.event.Json;
import dev.vigil.event.SourcePosition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {
    private static final long TIME_US = EventTimes.parse("2026-03-01T12:00:00Z");

    @TempDir
    Path directory;

    private Path config;
    private String out = "";
    private String err = "";

    @BeforeEach
    void writeConfig() throws Exception {
        config = Files.writeString(
                directory.resolve("vigil.yaml"), "data-dir: data\nkafka: {bootstrap-servers: \"127.0.0.1:1\"}\n");
    }

    private int vigil(String url, String... more) {
        List<String> args = new ArrayList<>(List.of("explain", "--config", config.toString()));
        args.addAll(List.of("--url", url));
        args.addAll(List.of(more));
        StringWriter outText = new StringWriter();
        StringWriter errText = new StringWriter();
        int exitCode =
                Vigil.run(new PrintWriter(outText, true), new PrintWriter(errText, true), args.toArray(new String[0]));
        out = outText.toString();
        err = errText.toString();
        return exitCode;
    }

    private static ServiceEndpoint engine(Explanations explanations) {
        return ServiceEndpoint.start(
                HttpConfig.local(0),
                "endpoint",
                new StatusBoard(),
                explanations,
                null,
                () -> 0,
                new SimpleMeterRegistry());
    }

    private static Explanation explain(String account, String eventId, @Nullable String source) {
        List<Contributor> events = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            events.add(new Contributor("/shop", "e/" + i, TIME_US - i, i, new BigDecimal("1.50")));
        }
        Window window = new Window("transaction", TIME_US - 3_600_000_000L, TIME_US, 8, events);
        return new Explanation(
                eventId,
                source == null ? "/shop" : source,
                "transaction",
                account,
                TIME_US,
                new SourcePosition("topic-1", 2, 18),
                "card-fraud",
                3,
                "EUR",
                false,
                60,
                Decision.REVIEW,
                account.equals("earlier") ? null : new Later(2, 80, Decision.DECLINE),
                account.equals("earlier") ? "an earlier Vigil did not keep it" : null,
                Map.of("merchant", "red \u001b[31m"),
                List.of(
                        new Feature(
                                "sum_1h",
                                FieldType.MONEY,
                                new BigDecimal("12.00"),
                                TIME_US + 1,
                                window,
                                null,
                                List.of()),
                        new Feature("speed", FieldType.DOUBLE, null, null, null, Map.of(), List.of(Doubt.REFERENCE))),
                List.of(new Rule("velocity", true, true, 60, "many", Map.of("sum_1h", 12), List.of(Doubt.LABELS))));
    }

    @Test
    void shouldPrintRulesFeaturesAndWhatTheyAreMadeOf() {
        try (ServiceEndpoint engine = engine(ExplainCommandTest::explain)) {
            assertThat(vigil(engine.url(), "A/1", "t/17", "--source", "/cdc/bank"))
                    .as(err)
                    .isZero();
        }
        assertThat(out.lines())
                .contains(
                        "event     transaction t/17 of /cdc/bank", "account   A/1", "position  partition 2, offset 18")
                .contains("decision  review, score 60", "policy    card-fraud version 3")
                .contains("by now    decline, score 80: of the events within its windows, 2 came after it was scored")
                .contains("velocity  yes (shadow) ?  60     sum_1h=12")
                .contains(
                        "sum_1h   12.00     8 in (2026-03-01T11:00:00Z, 2026-03-01T12:00:00Z]: e/0=1.50, e/1=1.50, e/2=1.50,"
                                + " …, e/5=1.50, e/6=1.50, e/7=1.50; partial, complete from 2026-03-01T12:00:00.000001Z on")
                .contains("speed    absent ?")
                .contains("? may differ from the scored record: a reference row has changed since, or is not there;"
                        + " labels count as they are now");
        assertThat(out).doesNotContain("\u001b");
    }

    @Test
    void shouldSayWhyItIsNotKnownWhetherWindowsWereComplete() {
        try (ServiceEndpoint engine = engine(ExplainCommandTest::explain)) {
            assertThat(vigil(engine.url(), "A-1", "t-17")).isZero();
            assertThat(out).doesNotContain("not known");
            assertThat(vigil(engine.url(), "earlier", "t-17")).isZero();
            assertThat(out.lines())
                    .contains("whether windows were complete is not known: an earlier Vigil did not keep it");
        }
    }

    @Test
    void shouldPrintAllOfItAsJson() throws Exception {
        try (ServiceEndpoint engine = engine(ExplainCommandTest::explain)) {
            assertThat(vigil(engine.url(), "A-1", "t-17", "--format", "json")).isZero();
        }
        assertThat(Json.mapper().readTree(out).at("/features/0/window/events")).hasSize(8);
    }

    @Test
    void shouldSayInOneLineWhyNot() {
        Explanations refusing = (account, id, source) -> {
            throw new CannotExplainException(Kind.UNKNOWN, "nothing is remembered of account " + account);
        };
        try (ServiceEndpoint engine = engine(refusing)) {
            assertThat(vigil(engine.url(), "A-1", "t-17")).isEqualTo(1);
            assertThat(err).isEqualTo("vigil: nothing is remembered of account A-1\n");
            assertThat(vigil(engine.url(), "A-1", "t-17", "--format", "xml")).isEqualTo(2);
            assertThat(err).startsWith("vigil: --format: expected table or json, found xml\n");
        }
        assertThat(vigil("localhost:8080", "A-1", "t-17")).isEqualTo(2);
        assertThat(vigil("http://127.0.0.1:1", "A-1", "t-17")).isEqualTo(1);
        assertThat(err)
                .isEqualTo(
                        "vigil: nothing listens at http://127.0.0.1:1; is Vigil running? --url names another address\n");
    }

    @Test
    void shouldTellWhoTakesTooLongFromWhoIsNotThere() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort());
            RunningVigil vigil = RunningVigil.of(VigilConfig.load(config, Map.of()), address, Duration.ofSeconds(1));
            RunningVigil.Reply reply = vigil.get("/api/v1/status");
            assertThat(reply.answer()).isEmpty();
            assertThat(reply.why())
                    .isEqualTo("no answer within 1 s from " + address
                            + ", where something listens; if the machine is busy, ask again");
        }
    }
}
