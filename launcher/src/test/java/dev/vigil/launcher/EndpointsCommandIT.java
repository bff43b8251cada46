package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.vigil.alerting.service.Alerting;
import dev.vigil.dashboard.http.HttpConfig;
import dev.vigil.dashboard.http.ServiceEndpoint;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.SourcePosition;
import dev.vigil.service.kafka.KafkaClients;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code vigil endpoints} and {@code vigil alerts} as a person calls them, with an alerting, a broker and a receiver. */
@Timeout(180)
class EndpointsCommandIT {
    private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private volatile int answer = 204;
    private Path config;
    private VigilConfig values;
    private String vigil;
    private String hook;

    @BeforeEach
    void startAlerting() throws Exception {
        EmbeddedKafka broker = opened(EmbeddedKafka.start(directory.resolve("broker")));
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        open.add(() -> receiver.stop(0));
        receiver.createContext("/", exchange -> {
            try (exchange) {
                received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                exchange.sendResponseHeaders(answer, -1);
            }
        });
        receiver.start();
        hook = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook?token=secret-in-url";
        config = Files.writeString(
                directory.resolve("vigil.yaml"),
                "data-dir: data\nkafka: {bootstrap-servers: \"" + broker.bootstrapServers()
                        + "\", partitions: 2, replication-factor: 1}\nalerting:\n  endpoint-keys: [{id: k1, secret: "
                        + KEY + "}]\n  api-endpoints: {allow-private-hosts: [127.0.0.1]}\n"
                        + "  retry: {first: 20ms, max: 50ms, give-up-after: 200ms}\n");
        values = VigilConfig.load(config, Map.of());
        Alerting alerting = opened(new Alerting(
                values.kafka(),
                values.alerting(),
                directory.resolve("alerting"),
                SystemClock.INSTANCE,
                new SimpleMeterRegistry()));
        alerting.start();
        ServiceEndpoint endpoint = opened(ServiceEndpoint.start(
                HttpConfig.local(0),
                "endpoint",
                new StatusBoard(),
                null,
                null,
                alerting::endpoints,
                SystemClock.INSTANCE,
                new SimpleMeterRegistry()));
        vigil = endpoint.url();
        await().atMost(Duration.ofSeconds(60)).until(() -> !alerting.status().standingBy());
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.add(resource);
        return resource;
    }

    private CommandResult endpoints(String... arguments) {
        return command("endpoints", arguments);
    }

    private CommandResult command(String command, String... arguments) {
        List<String> words = new ArrayList<>(List.of(command, arguments[0], "--config", config.toString()));
        words.addAll(List.of("--url", vigil));
        words.addAll(List.of(arguments).subList(1, arguments.length));
        return CommandResult.of(words.toArray(new String[0]));
    }

    @Test
    void shouldMakeTryChangeAndDeleteAnEndpointAndShowItsSecretOnce() throws Exception {
        assertThat(endpoints("list").out()).isEqualTo("no endpoints" + System.lineSeparator());
        CommandResult made =
                endpoints("create", "desk", hook, "--set", "decisions=decline,review", "--set", "min-score=80");
        assertThat(made.err()).isEmpty();
        assertThat(made.out())
                .contains("alerts", "review, decline; score 80 or more", "secret (not shown again)  whsec_");
        String secret = made.out().substring(made.out().indexOf("whsec_")).strip();

        CommandResult tried = endpoints("test", "desk");
        assertThat(tried.exitCode()).isZero();
        assertThat(tried.out()).startsWith("endpoint desk accepted test_");
        assertThat(received).singleElement().asString().contains("dev.vigil.test");

        CommandResult changed = endpoints(
                "change", "desk", "--unset", "min-score", "--set", "min-amount=250.00", "--set", "timeout=3s");
        assertThat(changed.out()).contains("review, decline; amount 250 or more", "3s in all");
        JsonNode rotated = Json.mapper()
                .readTree(endpoints("rotate-secret", "desk", "--overlap", "2h", "--format", "json")
                        .out());
        assertThat(rotated.path("secret").asText()).startsWith("whsec_").isNotEqualTo(secret);
        assertThat(endpoints("pause", "desk").out()).contains("paused");
        assertThat(endpoints("resume", "desk").exitCode()).isZero();

        String shown = endpoints("show", "desk").out();
        String listed = endpoints("list").out();
        assertThat(shown).contains("former secret", "signs until");
        assertThat(listed).contains("desk", "api", "webhook", "127.0.0.1");
        assertThat(shown + listed + endpoints("list", "--format", "json").out())
                .doesNotContain(secret, rotated.path("secret").asText(), "whsec_", "secret-in-url");
        assertThat(endpoints("delete", "desk").out()).isEqualTo("endpoint desk is deleted" + System.lineSeparator());
        assertThat(endpoints("show", "desk").err()).contains("there is no endpoint desk");
    }

    @Test
    void shouldReadAnAddressFromTheInputSoThatNoListOfProcessesShowsIt() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream((hook + "\n").getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(endpoints("create", "desk", "-").exitCode()).isZero();
        } finally {
            System.setIn(before);
        }
        assertThat(endpoints("test", "desk").exitCode()).isZero();
    }

    private void raise(String alertId) throws Exception {
        Alert alert = new Alert(
                alertId,
                "tx-1",
                "postgres/transactions",
                "transaction",
                "acc-1",
                EventTimes.parse("2026-03-01T12:00:00Z"),
                System.currentTimeMillis(),
                new SourcePosition("log-topic-id", 0, 7),
                "card-fraud",
                3,
                "EUR",
                85,
                Decision.DECLINE,
                "acc-1",
                0,
                Map.of(),
                List.of());
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(values.kafka(), "test", Map.of())) {
            producer.send(new ProducerRecord<>(values.kafka().topics().alerts(), 0, null, Json.encode(alert)))
                    .get();
        }
    }

    @Test
    void shouldListWhatWasGivenUpAndDeliverItAgain() throws Exception {
        assertThat(command("alerts", "failed").out()).isEqualTo("no deliveries were given up" + System.lineSeparator());
        endpoints("create", "desk", hook);
        answer = 503;
        raise("alert-1");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> command("alerts", "failed").out().contains("alert-1"));
        assertThat(command("alerts", "failed", "--endpoint", "desk").out())
                .contains("given up", "desk", "acc-1", "expected a 2xx answer, found 503");
        assertThat(command("alerts", "failed", "--to", "2026-01-01T00:00:00Z").out())
                .startsWith("no deliveries");
        answer = 204;
        received.clear();

        String[] again = {"redeliver", "--endpoint", "desk", "--from", "2026-01-01T00:00:00Z"};
        assertThat(command("alerts", again[0], again[1], again[2], again[3], again[4], "--dry-run")
                        .out())
                .isEqualTo("1 would be delivered again" + System.lineSeparator());
        assertThat(received).isEmpty();
        assertThat(command("alerts", again).out()).isEqualTo("1 of 1 are delivered again" + System.lineSeparator());
        await().atMost(Duration.ofSeconds(60)).until(() -> !received.isEmpty());
        assertThat(received).singleElement().asString().contains("alert-1");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> command("alerts", "failed").out().startsWith("no deliveries"));

        assertThat(command("alerts", "redeliver", "--endpoint", "desk").exitCode())
                .isEqualTo(2);
        CommandResult nobody = command("alerts", "redeliver", "--endpoint", "nobody", "--from", "2026-01-01T00:00:00Z");
        assertThat(nobody.exitCode()).isEqualTo(1);
        assertThat(nobody.err()).contains("there is no endpoint nobody").hasLineCount(1);
    }

    @Test
    void shouldSayInOneLineWhyNothingWasDone() {
        CommandResult refused = endpoints("create", "desk", "http://10.0.0.1/");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .startsWith("vigil: url: the address 10.0.0.1 is not public")
                .hasLineCount(1);
        assertThat(endpoints("create", "desk", hook, "--set", "min-scor=3").err())
                .contains("min-scor")
                .hasLineCount(1);
        endpoints("create", "desk", hook);
        answer = 500;
        CommandResult tried = endpoints("test", "desk");
        assertThat(tried.exitCode()).isEqualTo(1);
        assertThat(tried.err()).contains("expected a 2xx answer, found 500").hasLineCount(1);
        assertThat(endpoints("change", "desk").exitCode()).isEqualTo(2);
        assertThat(endpoints("rotate-secret", "desk", "--overlap", "soon").exitCode())
                .isEqualTo(2);
        CommandResult nobody =
                CommandResult.of("endpoints", "list", "--config", config.toString(), "--url", "http://127.0.0.1:1");
        assertThat(nobody.exitCode()).isEqualTo(1);
        assertThat(nobody.err()).contains("nothing listens at http://127.0.0.1:1");
    }
}
