package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.vigil.event.Json;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.AlertCase.CaseAlert;
import dev.vigil.event.cases.AlertCase.CaseEntry;
import dev.vigil.event.cases.CasePage;
import dev.vigil.event.cases.CaseState;
import dev.vigil.event.cases.Disposition;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command over a real socket; what a dashboard answers is shown elsewhere. */
class CasesCommandTest {
    private static final long TIME_US = 1_800_000_000_000_000L;
    private static final String HOSTILE = "\u001b[31mred\u009b\u202e\n";

    @TempDir
    Path directory;

    /** What a dashboard was asked. */
    private record Request(
            String method, String pathAndQuery, @Nullable String key, JsonNode body) {}

    private final List<Request> requests = new ArrayList<>();
    private final List<Object> answers = new ArrayList<>();
    private int status = 200;
    private HttpServer dashboard;
    private String config;
    private String out = "";
    private String err = "";

    @BeforeEach
    void start() throws Exception {
        config = Files.writeString(
                        directory.resolve("vigil.yaml"),
                        "data-dir: data\nkafka: {bootstrap-servers: \"127.0.0.1:1\"}\n")
                .toString();
        dashboard = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        dashboard.createContext("/", this::answer);
        dashboard.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        requests.add(new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                Json.mapper().readTree(body)));
        byte[] answer = Json.encode(answers.size() > 1 ? answers.remove(0) : answers.get(0));
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    @AfterEach
    void stop() {
        dashboard.stop(0);
    }

    private int vigil(String... more) {
        List<String> args = new ArrayList<>(List.of("cases"));
        args.addAll(List.of(more));
        args.addAll(List.of(
                "--config",
                config,
                "--url",
                "http://127.0.0.1:" + dashboard.getAddress().getPort()));
        return run(args);
    }

    private int run(List<String> args) {
        StringWriter outText = new StringWriter();
        StringWriter errText = new StringWriter();
        int exitCode =
                Vigil.run(new PrintWriter(outText, true), new PrintWriter(errText, true), args.toArray(new String[0]));
        out = outText.toString();
        err = errText.toString();
        return exitCode;
    }

    private Request last() {
        return requests.get(requests.size() - 1);
    }

    private static AlertCase alertCase(String account, String note) {
        return new AlertCase(
                "c1",
                "f",
                "card-fraud",
                account,
                account,
                CaseState.CLOSED,
                7,
                account,
                Disposition.FRAUD,
                new AlertCase.Snooze(TIME_US, account, note),
                TIME_US,
                TIME_US + 1_000_000,
                85,
                "250.00",
                "EUR",
                3,
                Map.of("snooze", 1L, "cooldown", 1L),
                List.of("velocity", account),
                List.of(
                        new CaseAlert(
                                "a1",
                                "t/1",
                                "/s",
                                account,
                                TIME_US,
                                85,
                                "decline",
                                "9.50",
                                List.of("velocity"),
                                null,
                                true),
                        new CaseAlert(
                                "a2",
                                account,
                                "/s",
                                account,
                                TIME_US,
                                60,
                                "review",
                                null,
                                List.of(account),
                                "cooldown",
                                false)),
                List.of(
                        new CaseEntry("", "vigil", TIME_US / 1_000, "opened", null),
                        new CaseEntry("k", account, TIME_US / 1_000, "note", note)));
    }

    @Test
    void shouldListCasesOfAllPagesAsATable() {
        answers.add(new CasePage(List.of(alertCase("A-1", "x")), "c1"));
        answers.add(new CasePage(List.of(alertCase("A-2", "x")), null));
        assertThat(vigil("list", "--assignee", "Jo & co", "--rule", "velocity"))
                .as(err)
                .isZero();
        assertThat(requests)
                .extracting(Request::pathAndQuery)
                .containsExactly(
                        "/api/v1/cases?state=open&assignee=Jo%20%26%20co&rule=velocity&limit=50",
                        "/api/v1/cases?state=open&assignee=Jo%20%26%20co&rule=velocity&limit=49&after=c1");
        assertThat(out.lines())
                .hasSize(3)
                .contains(
                        "case  state            account  group  rules          score  amount      alerts                                        last alert            assignee",
                        "c1    closed as fraud  A-2      A-2    velocity, A-2  85     250.00 EUR  3, of which suppressed: 1 cooldown, 1 snooze  2027-01-15T08:00:01Z  A-2");
    }

    @Test
    void shouldListNoMoreThanAskedForAndSayThatThereAreMore() throws Exception {
        answers.add(new CasePage(List.of(alertCase("A-1", "x")), "c1"));
        assertThat(vigil("list", "--state", "all", "--limit", "1", "--account", "A-1"))
                .isZero();
        assertThat(last().pathAndQuery()).isEqualTo("/api/v1/cases?account=A-1&limit=1");
        assertThat(out).endsWith("there are more; --limit lists more\n");
        assertThat(vigil("list", "--limit", "1", "--format", "json")).isZero();
        assertThat(Json.mapper().readTree(out).at("/0/account").asText()).isEqualTo("A-1");
        answers.set(0, new CasePage(List.of(), null));
        assertThat(vigil("list")).isZero();
        assertThat(out).isEqualTo("no cases\n");
    }

    @Test
    void shouldShowACaseWithItsAlertsAndItsHistory() {
        answers.add(alertCase("A-1", "first line\nsecond"));
        assertThat(vigil("show", "c1")).as(err).isZero();
        assertThat(last().pathAndQuery()).isEqualTo("/api/v1/cases/c1");
        assertThat(out.lines())
                .contains(
                        "state     closed as fraud, revision 7",
                        "snoozed   until 2027-01-15T08:00:00Z by A-1: first line\\nsecond",
                        "worst     score 85, amount 250.00 EUR",
                        "a1     2027-01-15T08:00:00Z  A-1 t/1  decline   85     9.50 EUR  velocity  yes, as it is worse",
                        "a2     2027-01-15T08:00:00Z  A-1 A-1  review    60               A-1       no: cooldown",
                        "2027-01-15T08:00:00Z  vigil  opened",
                        "2027-01-15T08:00:00Z  A-1    note    first line",
                        "                                     second");
    }

    @Test
    void shouldPrintNothingThatMovesTheCursor() throws Exception {
        answers.add(alertCase(HOSTILE, HOSTILE));
        for (List<String> command : List.of(
                List.of("show", "c1"),
                List.of("show", "c1", "--format", "json"),
                List.of("acknowledge", "c1"),
                List.of("acknowledge", "c1", "--format", "json"))) {
            assertThat(vigil(command.toArray(new String[0]))).as(err).isZero();
            assertThat(out).doesNotContain("\u001b", "\u009b", "\u202e").contains("red");
            if (command.contains("json")) {
                assertThat(Json.mapper().readTree(out).path("account").asText()).isEqualTo(HOSTILE);
            }
        }
        answers.set(0, new CasePage(List.of(alertCase(HOSTILE, HOSTILE)), null));
        assertThat(vigil("list")).isZero();
        assertThat(out).doesNotContain("\u001b", "\u009b", "\u202e").hasLineCount(2);
        status = 409;
        answers.set(0, Map.of("detail", HOSTILE));
        assertThat(vigil("reopen", "c1")).isEqualTo(1);
        assertThat(err).startsWith("vigil: \\u001b[31mred\\u009b\\u202e\\n").hasLineCount(1);
    }

    @Test
    void shouldSendEachActionOfTheUserOfThisMachineWithAnIdOfItsOwn() {
        String user = System.getProperty("user.name");
        answers.add(alertCase("A-1", "x"));
        assertThat(vigil("acknowledge", "c/1")).as(err).isZero();
        assertThat(out)
                .isEqualTo(
                        "case c1 is closed as fraud, assigned to A-1, snoozed until 2027-01-15T08:00:00Z, revision 7\n");
        assertThat(last().method() + " " + last().pathAndQuery()).isEqualTo("POST /api/v1/cases/c%2F1/actions");
        assertThat(last().body()).hasToString("{\"action\":\"acknowledge\",\"by\":\"" + user + "\"}");
        String firstKey = last().key();
        assertThat(firstKey).hasSize(36);
        sends("{'action':'assign','by':'jo','assignee':'ann'}", "assign", "c1", "--to", "ann");
        assertThat(last().key()).isNotEqualTo(firstKey);
        sends("{'action':'assign','by':'jo','assignee':null}", "assign", "c1", "--nobody");
        sends("{'action':'note','by':'jo','note':'called them'}", "note", "c1", "called them");
        sends(
                "{'action':'close','by':'jo','if_revision':7,'disposition':'fraud','note':'stolen'}",
                "close",
                "c1",
                "--as",
                "fraud",
                "--note",
                "stolen",
                "--if-revision",
                "7");
        sends("{'action':'reopen','by':'jo'}", "reopen", "c1");
        sends("{'action':'snooze','by':'jo','for':'2h'}", "snooze", "c1", "--for", "2h");
        sends(
                "{'action':'snooze','by':'jo','until':'2027-01-15T08:00:00Z'}",
                "snooze",
                "c1",
                "--until",
                "2027-01-15T08:00:00Z");
        sends("{'action':'unsnooze','by':'jo'}", "unsnooze", "c1", "--action-id", "k-1");
        assertThat(last().key()).isEqualTo("k-1");
    }

    private void sends(String body, String... command) {
        List<String> args = new ArrayList<>(List.of(command));
        args.addAll(List.of("--by", "jo"));
        assertThat(vigil(args.toArray(new String[0]))).as(err).isZero();
        assertThat(last().body()).hasToString(body.replace('\'', '"'));
    }

    @Test
    void shouldSayThatAnActionIsStoredAndNotTakenYet() throws Exception {
        status = 202;
        answers.add(Map.of("action_id", "k-1", "case_id", "c1"));
        assertThat(vigil("acknowledge", "c1", "--action-id", "k-1")).isZero();
        assertThat(out).isEqualTo("stored as action k-1; alerting has not taken it yet\n");
        assertThat(vigil("acknowledge", "c1", "--action-id", "k-1", "--format", "json"))
                .isZero();
        assertThat(Json.mapper().readTree(out).path("action_id").asText()).isEqualTo("k-1");
    }

    @Test
    void shouldSayInOneLineWhyNot() {
        status = 404;
        answers.add(Map.of("detail", "There is none of this id, or it is kept no longer."));
        assertThat(vigil("show", "c1")).isEqualTo(1);
        assertThat(err).isEqualTo("vigil: There is none of this id, or it is kept no longer.\n");
        assertThat(run(List.of("cases", "list", "--config", config, "--url", "http://127.0.0.1:1")))
                .isEqualTo(1);
        assertThat(err)
                .isEqualTo(
                        "vigil: nothing listens at http://127.0.0.1:1; is Vigil running? --url names another address\n");
        assertThat(run(List.of("cases", "reopen", "c1", "--config", config, "--url", "http://127.0.0.1:1")))
                .isEqualTo(1);
        assertThat(err).startsWith("vigil: nothing listens at http://127.0.0.1:1; is Vigil running?");
    }

    @Test
    void shouldSayHowToGoOn() {
        answers.add(Map.of("detail", "The case has moved on"));
        status = 409;
        assertThat(vigil("acknowledge", "c1")).isEqualTo(1);
        assertThat(err).isEqualTo("vigil: The case has moved on. 'vigil cases show c1' shows how it stands.\n");
        status = 503;
        assertThat(vigil("acknowledge", "c1")).isEqualTo(1);
        assertThat(err)
                .isEqualTo("vigil: The case has moved on. With --action-id " + last().key()
                        + " it can be sent again and counts once.\n");
        status = 404;
        assertThat(vigil("acknowledge", "c1")).isEqualTo(1);
        assertThat(err).endsWith(" 'vigil cases list' lists those there are.\n");
        status = 400;
        assertThat(vigil("note", "c1", "x")).isEqualTo(1);
        assertThat(err).isEqualTo("vigil: The case has moved on\n");
    }

    @Test
    void shouldBeCalledRightly() {
        answers.add(alertCase("A-1", "x"));
        wrong("vigil: --format: expected table or json, found xml", "show", "c1", "--format", "xml");
        wrong("vigil: --state: expected open, closed or all, found shut", "list", "--state", "shut");
        wrong("vigil: --limit: expected an integer from 1 to 10000, found 0", "list", "--limit", "0");
        wrong("vigil: Missing required option: '--as=fraud|legitimate|unsure'", "close", "c1");
        wrong("vigil: Error: Missing required argument (specify one of these): (--to=NAME | --nobody)", "assign", "c1");
        wrong(
                "vigil: Error: --for=DURATION, --until=TIME are mutually exclusive (specify only one)",
                "snooze",
                "c1",
                "--for",
                "1h",
                "--until",
                "x");
        wrong("vigil: Missing required parameter: 'TEXT'", "note", "c1");
        assertThat(requests).isEmpty();
        assertThat(run(List.of("cases", "list", "--config", config, "--url", "localhost:8080")))
                .isEqualTo(2);
        assertThat(run(List.of("cases"))).isEqualTo(2);
        assertThat(err).contains("acknowledge", "unsnooze");
    }

    private void wrong(String complaint, String... command) {
        assertThat(vigil(command)).as(complaint).isEqualTo(2);
        assertThat(err).startsWith(complaint + "\n");
    }
}
