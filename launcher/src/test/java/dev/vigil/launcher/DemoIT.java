package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.event.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The whole of Vigil as the README starts it: broker, database, all services, traffic. Each test goes on from the one before. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DemoIT {
    @TempDir
    static Path directory;

    @Test
    @Order(1)
    void shouldPlayTheBankAndAccountForEveryRecord() throws Exception {
        JsonNode report;
        try (VigilProcess demo = VigilProcess.start(
                directory,
                "demo",
                "--duration",
                "12s",
                "--rate",
                "40",
                "--seed",
                "7",
                "--port",
                "0",
                "--report",
                "r1.json")) {
            String page = pageOf(demo);
            assertThat(get(page)).contains("<html").contains("Vigil");
            assertThat(get(page + "api/v1/status")).contains("scoring-engine").contains("watermark_us");
            int exitCode = demo.awaitExit(240);
            assertThat(exitCode).as(demo.output()).isZero();
            assertThat(demo.output())
                    .contains(" planted cases caught")
                    .contains("  this run, ")
                    .contains(" alerts were false")
                    .contains("  all runs in this data directory");
            report = read("r1.json");
        }
        assertThat(report.path("balanced").asBoolean()).as(report.toString()).isTrue();
        assertThat(report.at("/records/scored").asLong()).isGreaterThan(400);
        assertThat(report.at("/records/dead_lettered").asLong()).isZero();
        assertThat(report.at("/alerts/delivered").asLong()).isPositive();
        assertThat(report.at("/alerts/received_distinct").asLong())
                .isEqualTo(report.at("/alerts/delivered").asLong());
        assertThat(report.at("/planted/incidents").asLong()
                        + report.at("/planted/unfinished").asLong())
                .isGreaterThanOrEqualTo(3);
        assertThat(report.at("/planted/caught").asLong())
                .isLessThanOrEqualTo(report.at("/planted/incidents").asLong());
        JsonNode judged = report.at("/planted/alerts");
        assertThat(judged.path("of_incidents").asLong()).isPositive();
        assertThat(judged.path("of_other_events").asLong()).isZero();
        assertThat(judged.path("of_incidents").asLong()
                        + judged.path("beside_incidents").asLong()
                        + judged.path("false_alarms").asLong())
                .as("every alert of the first run")
                .isEqualTo(report.at("/alerts/raised").asLong());
        assertThat(report.at("/replay/mismatches").asLong()).isZero();
        assertThat(report.at("/replay/compared").asLong())
                .isEqualTo(report.at("/records/scored").asLong());
        assertThat(report.at("/iceberg/rows/scored_events").asLong())
                .isEqualTo(report.at("/records/scored").asLong());
    }

    @Test
    @Order(2)
    void shouldContinueAnswerQueriesAndStopCleanlyWhenAsked() throws Exception {
        try (VigilProcess demo =
                VigilProcess.start(directory, "demo", "--rate", "40", "--port", "0", "--report", "r2.json")) {
            String page = pageOf(demo);
            demo.awaitLine(line -> line.endsWith(" ms)"), 120);
            assertThat(command("query", "SELECT decision, count(*) FROM scored_events GROUP BY 1"))
                    .contains("approve");
            assertThat(command("verify")).contains(" 0 mismatches");
            JsonNode alert =
                    Json.mapper().readTree(get(page + "api/v1/alerts?limit=1")).at("/alerts/0/alert");
            String account = alert.path("account").asText();
            assertThat(command(
                            "explain",
                            "--url",
                            page,
                            account,
                            alert.path("event_id").asText()))
                    .contains("account   " + account)
                    .contains("decision  " + alert.path("decision").asText() + ", score "
                            + alert.path("score").asText());
            assertThat(command("policy", "show")).contains("policy: card-fraud");
            assertThat(command(
                            "policy",
                            "apply",
                            Repository.file("policies/card-fraud.yaml").toString()))
                    .isEqualTo("policy card-fraud version 1 is active already");
            demo.askToStop();
            int exitCode = demo.awaitExit(240);
            assertThat(exitCode).as(demo.output()).isZero();
        }
        JsonNode first = read("r1.json");
        JsonNode second = read("r2.json");
        assertThat(second.path("balanced").asBoolean()).as(second.toString()).isTrue();
        assertThat(second.at("/records/scored").asLong())
                .isGreaterThan(first.at("/records/scored").asLong());
        assertThat(command("query", "--format", "csv", "SELECT count(*) AS n FROM scored_events"))
                .isEqualTo("n\n" + second.at("/records/scored").asLong());
    }

    /** The configuration cannot be put right by hand, since each start writes it anew. */
    @Test
    @Order(3)
    void shouldNameTheCommandThatAcceptsAGapAndGoOnWithIt() throws Exception {
        try (EmbeddedDatabase database = EmbeddedDatabase.start(directory.resolve("vigil-data/postgres"));
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
        }
        String said;
        try (VigilProcess demo = VigilProcess.start(directory, "demo", "--port", "0")) {
            assertThat(demo.awaitExit(180)).isEqualTo(1);
            said = demo.awaitLine(line -> line.contains("gap: expected replication slot "), 1);
        }
        assertThat(said).contains("run once: ./vigil demo --accept-gap");
        List<String> command = new ArrayList<>(
                List.of(said.replaceFirst(".* run once: ./vigil ", "").split(" ")));
        command.addAll(List.of("--duration", "5s", "--rate", "40", "--report", "r3.json"));
        try (VigilProcess demo = VigilProcess.start(directory, command.toArray(String[]::new))) {
            assertThat(demo.awaitExit(240)).as(demo.output()).isZero();
        }
        assertThat(read("r3.json").path("balanced").asBoolean()).isTrue();
        assertThat(read("r3.json").at("/records/duplicate").asLong()).isPositive();
    }

    private static String pageOf(VigilProcess demo) throws InterruptedException {
        return demo.awaitLine(line -> line.contains("  page  "), 180).replaceFirst(".*page +", "");
    }

    private static String command(String... arguments) throws Exception {
        try (VigilProcess process = VigilProcess.start(directory, arguments)) {
            int exitCode = process.awaitExit(120);
            assertThat(exitCode).as(process.output()).isZero();
            return process.output();
        }
    }

    private static JsonNode read(String report) throws Exception {
        return Json.mapper().readTree(Files.readAllBytes(directory.resolve(report)));
    }

    private static String get(String url) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(url).isEqualTo(200);
        return response.body();
    }
}
