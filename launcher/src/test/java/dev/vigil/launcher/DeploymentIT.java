package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.receiver.WebhookReceiver;
import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.Json;
import dev.vigil.launcher.ComposeFile.Service;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The deployment without containers: a broker, a database that ran the deployment's scripts, and the five services as
 * processes with the commands and the environment of {@code docker-compose.yml}.
 */
final class DeploymentIT {
    private static final String LOGIN = """
            {"specversion": "1.0", "id": "login-1", "source": "/bank/online-banking", "type": "login", "time": "%s",
             "subject": "A-1", "datacontenttype": "application/json",
             "data": {"account_id": "A-1", "device": "phone-1", "ip": "192.0.2.7", "success": true}}
            """;
    private static final List<String> ROWS = List.of(
            "INSERT INTO accounts VALUES ('A-1', 'Ghent', 'BE', now() - interval '1 year', 2000.00)",
            "INSERT INTO cards VALUES ('C-1', 'A-1')",
            "INSERT INTO merchants VALUES ('M-1', 'Shop', 'electronics', 'Ghent', 'BE', true)",
            "INSERT INTO transactions VALUES (1, 'A-1', 'C-1', 'M-1', 'T-1', 'electronics', 12.50, 'EUR', 'BE', 'laptop-1',"
                    + " NULL, NULL, now())",
            "INSERT INTO transactions VALUES (2, 'A-1', 'C-1', 'M-1', 'T-1', 'electronics', 900.00, 'EUR', 'BE',"
                    + " 'X-EMULATOR-1', NULL, NULL, now())");
    private static final Duration STOP_LIMIT = Duration.ofSeconds(45);

    @TempDir
    static Path directory;

    private final ComposeFile compose = ComposeFile.read();
    private final Map<String, ServiceProcess> processes = new LinkedHashMap<>();
    private EmbeddedKafka kafka;
    private EmbeddedDatabase database;
    private WebhookReceiver receiver;

    @BeforeEach
    void startSurroundings() throws SQLException {
        kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        database = EmbeddedDatabase.start(directory.resolve("postgres"));
        try (Connection connection = database.connect()) {
            InitScripts.run(
                    connection,
                    compose.service(ServiceName.CDC_INGEST).environment().get("VIGIL_DB_PASSWORD"));
        }
        String secret = compose.service(ServiceName.ALERTING).environment().get("VIGIL_WEBHOOK_SECRET");
        receiver = WebhookReceiver.start(0, new WebhookSecret(secret), SystemClock.INSTANCE, alert -> {});
    }

    @AfterEach
    void stopAll() {
        processes.values().forEach(ServiceProcess::close);
        receiver.close();
        database.close();
        kafka.close();
    }

    @Test
    void shouldCarryEventsThroughFiveProcessesAndStopCleanly() throws Exception {
        startServices();

        ServiceProcess dashboard = process(ServiceName.DASHBOARD_API);
        patiently().until(() -> servicesThatRun(dashboard).equals(new TreeSet<>(ServiceName.labels())));
        patiently().until(() -> metricValue(process(ServiceName.CDC_INGEST), "vigil_cdc_streaming") == 1);
        dashboard.post("/api/v1/events", "application/cloudevents+json", LOGIN.formatted(Instant.now()));
        sendToIntake(LOGIN.formatted(Instant.now()).replace("login-1", "login-2"));
        insertRows();

        patiently().until(() -> receiver.counts().distinctAlerts() == 1);
        assertThat(receiver.lastAlerts().get(0).alert().rules())
                .extracting(rule -> rule.rule())
                .contains("notorious-device");
        patiently()
                .until(() -> query(dashboard, "SELECT type, count(*) AS n FROM scored_events GROUP BY 1 ORDER BY 1")
                        .equals("[[\"login\",2],[\"transaction\",2]]"));
        patiently()
                .until(() ->
                        query(dashboard, "SELECT account, decision FROM alerts").equals("[[\"A-1\",\"decline\"]]"));
        assertThat(Json.mapper().readTree(dashboard.get("/api/v1/alerts")).path("alerts"))
                .hasSize(1);
        assertThat(GrafanaDashboard.metrics()).isNotEmpty().isSubsetOf(metricNames());

        stopServices();
    }

    /** As a foreign producer writes, which knows nothing of accounts. */
    private void sendToIntake(String event) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                KafkaClients.producer(KafkaConfig.local(kafka.bootstrapServers()), "foreign", Map.of())) {
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>("vigil.intake", event.getBytes(StandardCharsets.UTF_8));
            record.headers().add("content-type", "application/cloudevents+json".getBytes(StandardCharsets.UTF_8));
            producer.send(record).get();
        }
    }

    private void startServices() throws IOException {
        Map<String, Integer> ports = freePorts();
        Map<String, String> addresses = addresses(ports);
        for (Service service : inStartOrder()) {
            service.dependsOn().forEach((other, condition) -> {
                if (processes.containsKey(other)) {
                    assertThat(condition).isEqualTo("service_healthy");
                    patiently().until(processes.get(other)::isHealthy);
                }
            });
            int port = ports.get(service.name());
            Map<String, String> overrides = new HashMap<>(addresses);
            overrides.put("VIGIL_ENDPOINT_PORT", Integer.toString(port));
            overrides.put("VIGIL_DASHBOARD_PORT", Integer.toString(port));
            processes.put(
                    service.name(), ServiceProcess.start(service, port, Files.createDirectories(directory), overrides));
        }
        processes.values().forEach(process -> patiently().until(process::isHealthy));
    }

    /** Whoever depends on another of ours comes after it. */
    private List<Service> inStartOrder() {
        List<Service> services =
                compose.services().values().stream().filter(Service::isVigil).toList();
        List<Service> ordered = new ArrayList<>();
        services.stream().filter(service -> !dependsOnAny(service, services)).forEach(ordered::add);
        services.stream().filter(service -> dependsOnAny(service, services)).forEach(ordered::add);
        return ordered;
    }

    private static boolean dependsOnAny(Service service, List<Service> services) {
        return services.stream().anyMatch(other -> service.dependsOn().containsKey(other.name()));
    }

    private Map<String, String> addresses(Map<String, Integer> ports) {
        Map<String, String> addresses = new HashMap<>(Map.of(
                "VIGIL_KAFKA", kafka.bootstrapServers(),
                "VIGIL_KAFKA_PARTITIONS", "3",
                "VIGIL_LISTEN", "127.0.0.1",
                "VIGIL_DB_HOST", database.host(),
                "VIGIL_DB_PORT", Integer.toString(database.port()),
                "VIGIL_CATALOG", database.jdbcUrl().replace("/bank", "/vigil_history"),
                "VIGIL_WEBHOOK_URL", receiver.url(),
                "VIGIL_WEBHOOK_ALLOW_PRIVATE", "true",
                "VIGIL_COMMIT_INTERVAL", "2s"));
        ports.forEach((name, port) -> addresses.put(
                "VIGIL_" + name.toUpperCase(java.util.Locale.ROOT).replace('-', '_') + "_URL",
                "http://127.0.0.1:" + port));
        return addresses;
    }

    private static Map<String, Integer> freePorts() throws IOException {
        Map<String, Integer> ports = new HashMap<>();
        List<ServerSocket> sockets = new ArrayList<>();
        for (String name : ServiceName.labels()) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            sockets.add(socket);
            ports.put(name, socket.getLocalPort());
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }

    private void insertRows() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String row : ROWS) {
                statement.execute(row);
            }
        }
    }

    private static Set<String> servicesThatRun(ServiceProcess dashboard) throws IOException, InterruptedException {
        Set<String> running = new TreeSet<>();
        for (JsonNode status :
                Json.mapper().readTree(dashboard.get("/api/v1/status")).path("services")) {
            if (status.path("state").asText().equals("RUNNING")) {
                running.add(status.path("service").asText());
            }
        }
        return running;
    }

    private static String query(ServiceProcess dashboard, String sql) throws IOException, InterruptedException {
        String body = Json.mapper().writeValueAsString(Map.of("sql", sql));
        return Json.mapper()
                .readTree(dashboard.post("/api/v1/query", "application/json", body))
                .path("rows")
                .toString();
    }

    private static double metricValue(ServiceProcess process, String name) throws IOException, InterruptedException {
        return process.get("/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    private Set<String> metricNames() throws IOException, InterruptedException {
        Set<String> names = new TreeSet<>();
        for (ServiceProcess process : processes.values()) {
            process.get("/metrics")
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> names.add(line.split("[{ ]", 2)[0]));
        }
        return names;
    }

    private void stopServices() throws IOException, InterruptedException {
        processes.values().forEach(ServiceProcess::terminate);
        for (ServiceProcess process : processes.values()) {
            assertThat(process.awaitExit(STOP_LIMIT))
                    .as("exit code of %s:%n%s", process.name(), process.output())
                    .isZero();
        }
    }

    private ServiceProcess process(ServiceName name) {
        return processes.get(name.label());
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(250))
                .ignoreExceptionsInstanceOf(IOException.class);
    }
}
