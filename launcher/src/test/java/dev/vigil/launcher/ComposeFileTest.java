package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.vigil.launcher.ComposeFile.Mount;
import dev.vigil.launcher.ComposeFile.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import kafka.server.KafkaConfig;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code docker-compose.yml} and the {@code Dockerfile} against what the code accepts. */
final class ComposeFileTest {
    private static final Set<String> SERVICE_KEYS = Set.of(
            "build",
            "image",
            "restart",
            "stop_grace_period",
            "cap_drop",
            "security_opt",
            "environment",
            "command",
            "volumes",
            "ports",
            "healthcheck",
            "depends_on");
    private static final Set<String> HEALTHCHECK_KEYS =
            Set.of("test", "interval", "timeout", "start_period", "retries");

    private final ComposeFile compose = ComposeFile.read();

    private List<Service> vigilServices() {
        return compose.services().values().stream().filter(Service::isVigil).toList();
    }

    @Test
    void shouldRunEachServiceInAContainerOfItsName() {
        assertThat(vigilServices()).extracting(Service::name).containsExactlyInAnyOrderElementsOf(ServiceName.labels());
    }

    @Test
    void shouldGiveCommandsThatTheProgramTakes() {
        for (Service service : vigilServices()) {
            CommandLine.ParseResult run = parse(service).subcommand();

            assertThat(run.commandSpec().name()).isEqualTo("run");
            assertThat(run.<Set<String>>matchedOptionValue("--only", Set.of())).containsExactly(service.name());
            assertThat(run.<Path>matchedOptionValue("--config", Path.of("")))
                    .isEqualTo(Path.of("/etc/vigil/vigil.yaml"));
        }
    }

    private static CommandLine.ParseResult parse(Service service) {
        return new CommandLine(new Vigil()).parseArgs(service.command().toArray(String[]::new));
    }

    @Test
    void shouldSetNoVariableThatNothingReads() {
        String configuration = Repository.text("deploy/vigil.yaml");
        String script = Repository.text("vigil");
        for (Service service : vigilServices()) {
            assertThat(service.environment().keySet())
                    .allMatch(name -> configuration.contains("${" + name) || script.contains("${" + name));
        }
    }

    @Test
    void shouldExplainEveryVariableThatItTakes() {
        assertThat(compose.variables())
                .isEqualTo(ComposeFile.exampleEnvironment().keySet());
    }

    @Test
    void shouldUseOnlyKeysThatComposeKnows() {
        for (Service service : compose.services().values()) {
            assertThat(service.raw().keySet()).as(service.name()).isSubsetOf(SERVICE_KEYS);
            if (service.raw().get("healthcheck") instanceof Map<?, ?> healthcheck) {
                assertThat(healthcheck.keySet()).as(service.name()).isEqualTo(HEALTHCHECK_KEYS);
            }
        }
    }

    @Test
    void shouldMountFilesThatExistAndVolumesThatAreDeclared() {
        Set<String> volumes = new TreeSet<>();
        for (Service service : compose.services().values()) {
            for (Mount mount : service.mounts()) {
                if (mount.isVolume()) {
                    volumes.add(mount.source());
                } else {
                    assertThat(Repository.file(mount.source())).exists();
                    assertThat(mount.readOnly()).as(mount.source()).isTrue();
                }
            }
        }
        assertThat(volumes).isEqualTo(new TreeSet<>(compose.volumes()));
    }

    @Test
    void shouldKeepTheDataOfEachServiceInAVolumeOfItsOwn() {
        for (Service service : vigilServices()) {
            VigilConfig config = load(service);
            Mount mount = Objects.requireNonNull(
                    service.mountOf(config.dataDirectory().toString()), service.name());

            assertThat(mount.source()).isEqualTo(service.name());
        }
    }

    @Test
    void shouldShareHistoryBetweenItsWriterAndItsReader() {
        for (ServiceName name : List.of(ServiceName.LAKEHOUSE_SINK, ServiceName.DASHBOARD_API)) {
            Service service = compose.service(name);
            String warehouse = Objects.requireNonNull(load(service).lakehouse().warehouse());

            assertThat(Objects.requireNonNull(service.mountOf(warehouse)).source())
                    .isEqualTo("history");
        }
    }

    @Test
    void shouldCheckHealthWhereTheServiceListens() {
        for (Service service : vigilServices()) {
            List<String> test = service.healthcheck() == null ? imageHealthcheck() : service.healthcheck();

            assertThat(test.get(test.size() - 1)).as(service.name()).isEqualTo(Integer.toString(port(service)));
        }
        assertThat(Repository.file("deploy/healthcheck")).isExecutable();
    }

    /** The port that a service alone in its process listens on. */
    static int port(Service service) {
        VigilConfig config = load(service);
        return service.name().equals(ServiceName.DASHBOARD_API.label())
                ? config.dashboard().http().port()
                : config.endpoint().port();
    }

    private static List<String> imageHealthcheck() {
        String line = Repository.text("Dockerfile")
                .lines()
                .filter(l -> l.startsWith("HEALTHCHECK"))
                .findFirst()
                .orElseThrow();
        return Arrays.stream(
                        line.substring(line.indexOf('[') + 1, line.indexOf(']')).split(",", -1))
                .map(word -> word.strip().replace("\"", ""))
                .toList();
    }

    /** The configuration as the service's container has it. */
    static VigilConfig load(Service service) {
        Mount mount = Objects.requireNonNull(service.mountOf("/etc/vigil/vigil.yaml"), service.name());
        return VigilConfig.load(Repository.file(mount.source()), service.environment());
    }

    @Test
    void shouldPublishPortsToThisMachineAloneAndNoneTwice() {
        List<String> ports = compose.services().values().stream()
                .flatMap(service -> service.ports().stream())
                .toList();

        assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port.startsWith("127.0.0.1:"));
        assertThat(compose.service(ServiceName.DASHBOARD_API).ports())
                .containsExactly("127.0.0.1:8080:" + port(compose.service(ServiceName.DASHBOARD_API)));
    }

    @Test
    void shouldLetTheDashboardFindTheOthers() {
        Map<String, List<java.net.URI>> addresses =
                load(compose.service(ServiceName.DASHBOARD_API)).dashboard().services();

        for (Service service : vigilServices()) {
            if (!service.name().equals(ServiceName.DASHBOARD_API.label())) {
                assertThat(addresses.get(service.name()))
                        .containsExactly(java.net.URI.create("http://" + service.name() + ":" + port(service)));
            }
        }
    }

    @Test
    void shouldStartWhoeverWritesEventsAfterTheFirstPolicy() {
        for (ServiceName writer : List.of(ServiceName.CDC_INGEST, ServiceName.DASHBOARD_API)) {
            assertThat(compose.service(writer).dependsOn()).containsEntry("scoring-engine", "service_healthy");
        }
        compose.services()
                .values()
                .forEach(service -> assertThat(compose.services().keySet())
                        .containsAll(service.dependsOn().keySet()));
    }

    @Test
    void shouldReachTheBrokerAndTheDatabaseByTheNamesOfTheirContainers() {
        VigilConfig config = load(compose.service(ServiceName.CDC_INGEST));
        Service kafka = Objects.requireNonNull(compose.services().get("kafka"));
        Service postgres = Objects.requireNonNull(compose.services().get("postgres"));

        assertThat(kafka.environment().get("KAFKA_ADVERTISED_LISTENERS"))
                .isEqualTo("PLAINTEXT://" + config.kafka().bootstrapServers());
        assertThat(config.cdc().orElseThrow().database().jdbcUrl())
                .isEqualTo("jdbc:postgresql://postgres:5432/"
                        + postgres.environment().get("POSTGRES_DB"));
        assertThat(postgres.command()).contains("wal_level=logical");
    }

    @Test
    void shouldGiveTheBrokerSettingsThatItAccepts() {
        Service kafka = Objects.requireNonNull(compose.services().get("kafka"));
        Map<String, String> settings = kafka.environment().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("KAFKA_"))
                .collect(Collectors.toMap(
                        entry -> entry.getKey()
                                .substring("KAFKA_".length())
                                .toLowerCase(java.util.Locale.ROOT)
                                .replace('_', '.'),
                        Map.Entry::getValue));

        assertThat(KafkaConfig.configDef().names()).containsAll(settings.keySet());
        assertThatCode(() -> new KafkaConfig(settings, false)).doesNotThrowAnyException();
        assertThat(kafka.mountOf(Objects.requireNonNull(settings.get("log.dirs"))))
                .isNotNull();
    }

    @Test
    void shouldCopyIntoTheImageWhatExistsOrTheBuildLaysOut() {
        String ignore = Repository.text(".dockerignore");
        List<String> sources = Repository.text("Dockerfile")
                .lines()
                .filter(line -> line.startsWith("COPY "))
                .flatMap(line -> {
                    List<String> words = List.of(line.split(" +", -1));
                    return words.subList(1, words.size() - 1).stream();
                })
                .toList();

        assertThat(sources).contains("vigil", "launcher/target/vigil/lib");
        for (String source : sources) {
            assertThat(ignore).contains("!" + source + "\n");
            if (!source.contains("target/")) {
                assertThat(Files.exists(Repository.file(source))).as(source).isTrue();
            }
        }
        assertThat(Repository.text("launcher/pom.xml"))
                .contains("<outputDirectory>${project.build.directory}/vigil/lib</outputDirectory>");
    }
}
