package dev.vigil.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigDocument;
import dev.vigil.event.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaConfigTest {
    private static KafkaConfig read(String yaml) {
        return KafkaConfig.from(ConfigDocument.parse("vigil.yaml", yaml));
    }

    @Test
    void defaults() {
        assertThat(read("bootstrap-servers: broker:9092"))
                .isEqualTo(new KafkaConfig(
                        "broker:9092",
                        new TopicNames("vigil"),
                        12,
                        (short) 3,
                        (short) 2,
                        Duration.ofDays(30),
                        Map.of()));
    }

    @Test
    void explicitPropertyMappings() {
        assertThat(read("""
                        bootstrap-servers: a:1,b:2
                        topic-prefix: bank.vigil
                        partitions: 6
                        replication-factor: 2
                        min-insync-replicas: 1
                        retention: 7d
                        properties: {security.protocol: SASL_SSL, sasl.jaas.config: "the secret"}
                        """))
                .isEqualTo(new KafkaConfig(
                        "a:1,b:2",
                        new TopicNames("bank.vigil"),
                        6,
                        (short) 2,
                        (short) 1,
                        Duration.ofDays(7),
                        Map.of("security.protocol", "SASL_SSL", "sasl.jaas.config", "the secret")));
    }

    @Test
    void shouldTakeTopicsUnderNamesOfTheirOwn() {
        TopicNames topics = read("bootstrap-servers: b:1\ntopics: {events: payments, scored: bank.scored}")
                .topics();
        assertThat(topics.events()).isEqualTo("payments");
        assertThat(topics.scored()).isEqualTo("bank.scored");
        assertThat(topics.alerts()).isEqualTo("vigil.alerts");
        assertThat(topics.all())
                .contains("payments", "bank.scored", "vigil.late")
                .hasSize(TopicNames.ROLES.size());
        assertThatThrownBy(() -> read("bootstrap-servers: b:1\ntopics: {event: payments}"))
                .hasMessage("vigil.yaml:2:10: topics.event: unknown key 'event', did you mean 'events'?");
        assertThatThrownBy(() -> read("bootstrap-servers: b:1\ntopics: {events: vigil.scored}"))
                .hasMessageContaining("vigil.yaml:2:9: topics: expected a topic name of its own for scored");
        assertThatThrownBy(() -> read("bootstrap-servers: b:1\ntopics: {events: 'a b'}"))
                .hasMessageContaining("expected a topic name of its own for events, of letters");
    }

    @Test
    void shouldNotShowSecrets() {
        assertThat(read("bootstrap-servers: b:1\nproperties: {sasl.jaas.config: hunter2}")
                        .toString())
                .doesNotContain("hunter2");
    }

    @Test
    void shouldNeedOneReplicaForASingleBroker() {
        assertThat(read("bootstrap-servers: b:1\nreplication-factor: 1").minInsyncReplicas())
                .isEqualTo((short) 1);
        assertThat(KafkaConfig.local("b").partitions()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"b", "''", "','", "b:0", "b:65536", "b:x", "a b:1", "b:1;c:2", ":9092", "[::1:9092"})
    void shouldRefuseAddressesThatAreNone(String servers) {
        assertThatThrownBy(() -> read("partitions: 1\nbootstrap-servers: "
                        + (servers.startsWith("'") ? servers : '"' + servers + '"')))
                .hasMessageStartingWith(
                        "vigil.yaml:2:20: bootstrap-servers: expected host:port, or several with commas between them, found '");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"b:1", "a:1,b:2", " a-1.x:1 , b_2:65535,", "[::1]:9092", "127.0.0.1:9092", "PLAINTEXT://b:1"})
    void shouldTakeAddressesAsKafkaDoes(String servers) {
        assertThat(read("bootstrap-servers: \"" + servers + "\"").bootstrapServers())
                .isEqualTo(servers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acks",
                "enable.idempotence",
                "isolation.level",
                "auto.offset.reset",
                "enable.auto.commit",
                "group.id",
                "group.instance.id",
                "client.id",
                "key.serializer",
                "value.deserializer",
                "partitioner.class",
                "max.in.flight.requests.per.connection",
                "bootstrap.servers",
                "linger.ms"
            })
    void shouldRefuseSettingsThatAreVigilsOwn(String setting) {
        assertThatThrownBy(() -> read("bootstrap-servers: b:1\nproperties: {a: b, " + setting + ": x}"))
                .hasMessageMatching("vigil\\.yaml:2:20: properties\\." + Pattern.quote(setting)
                        + ": Vigil sets this itself, since .+; leave '" + Pattern.quote(setting) + "' out");
    }

    @Test
    void shouldDocumentWhichSettingsAreVigilsOwn() throws IOException {
        String table = Files.readString(Path.of("../docs/deployment.md"))
                .lines()
                .dropWhile(line -> !line.startsWith("| setting | Vigil's"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.substring(0, line.indexOf('|', 1)))
                .collect(Collectors.joining());
        assertThat(Pattern.compile("`([^`]+)`").matcher(table).results().map(match -> match.group(1)))
                .containsExactlyInAnyOrderElementsOf(OwnSettings.names());
    }

    @Test
    void shouldRefuseWhatCannotBeMeant() {
        assertThatThrownBy(() -> read("partitions: 3")).hasMessage("vigil.yaml:1:1: missing 'bootstrap-servers'");
        assertThatThrownBy(() -> read("bootstrap-servers: b:1\npartition: 3"))
                .hasMessage("vigil.yaml:2:1: partition: unknown key 'partition', did you mean 'partitions'?");
        assertThatThrownBy(() -> read("bootstrap-servers: b:1\npartitions: 0"))
                .hasMessage("vigil.yaml:2:13: partitions: expected an integer from 1 to 1000, found '0'");
        assertThatThrownBy(() -> read("bootstrap-servers: b:1\ntopic-prefix: a b"))
                .hasMessage(
                        "vigil.yaml:2:15: topic-prefix: expected a topic prefix of letters, digits, - and _, found 'a b'");
        assertThatThrownBy(() -> read("bootstrap-servers: b:1\nreplication-factor: 1\nmin-insync-replicas: 2"))
                .hasMessage("vigil.yaml:3:22: min-insync-replicas: expected at most replication-factor 1, found '2'");
    }
}
