package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** {@code deploy/vigil.yaml} is a complete example: it loads, and it has every key that the code accepts. */
final class ExampleConfigTest {
    private static final String FILE = "deploy/vigil.yaml";
    private static final String NO_SUCH_KEY = "zzzzzzzzzzzzzzzzzzzz";
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "VIGIL_KAFKA", "kafka:9092",
            "VIGIL_DB_HOST", "postgres",
            "VIGIL_DB_PASSWORD", "p\"a#s:s",
            "VIGIL_CATALOG", "jdbc:postgresql://postgres/vigil_history",
            "VIGIL_CATALOG_PASSWORD", "p\"a#s:s",
            "VIGIL_WEBHOOK_URL", "https://alerts.example.com/vigil",
            "VIGIL_WEBHOOK_SECRET", "whsec_Y2hhbmdlLW1lLWNoYW5nZS1tZS1jaGFuZ2UtbWUh");
    /** Mappings whose keys are the user's own. */
    private static final Set<String> OPEN = Set.of(
            "kafka.properties",
            "lakehouse.catalog",
            "alerting.api-endpoints.tls",
            "cdc.tables",
            "cdc.tables.public.transactions.fields",
            "cdc.tables.public.accounts.fields");

    @TempDir
    Path directory;

    @Test
    void shouldLoadWithNothingButTheVariablesThatHaveNoFallback() {
        VigilConfig config = VigilConfig.load(Repository.file(FILE), ENVIRONMENT);

        assertThat(config.cdc().orElseThrow().database().password()).isEqualTo("p\"a#s:s");
        assertThat(config.dataDirectory()).isEqualTo(Path.of("/var/lib/vigil"));
        assertThat(config.policy()).contains(Path.of("/etc/vigil/policies/card-fraud.yaml"));
    }

    @Test
    void shouldStateTheDefaultsOfTheCode() {
        VigilConfig example = VigilConfig.load(Repository.file(FILE), ENVIRONMENT);
        String bare = "data-dir: /var/lib/vigil\nkafka: {bootstrap-servers: \"kafka:9092\"}\n";
        VigilConfig defaults = VigilConfig.from(ConfigDocument.parse("bare.yaml", bare), Path.of("/"));

        assertThat(example.kafka()).isEqualTo(defaults.kafka());
        assertThat(example.scoring()).isEqualTo(defaults.scoring());
        assertThat(example.alerting().retry()).isEqualTo(defaults.alerting().retry());
        assertThat(example.endpoint()).isEqualTo(defaults.endpoint());
        assertThat(example.dashboard())
                .usingRecursiveComparison()
                .ignoringFields("services")
                .isEqualTo(defaults.dashboard());
        assertThat(example.lakehouse())
                .usingRecursiveComparison()
                .ignoringFields("warehouse", "catalog")
                .isEqualTo(defaults.lakehouse());
    }

    @Test
    void shouldHaveEveryKeyThatTheCodeAccepts() throws IOException {
        List<Place> places = mappings();

        assertThat(places).extracting(Place::path).contains("", "scoring.checkpoint", "alerting.endpoints[0]");
        for (Place place : places) {
            if (!OPEN.contains(place.path())) {
                assertThat(acceptedKeys(place)).as(place.path()).allMatch(key -> isShown(place, key));
            }
        }
    }

    /** As a key, or, where a key would change what is meant, in a comment. */
    private static boolean isShown(Place place, String key) {
        return place.keys().contains(key) || Repository.text(FILE).contains("# " + key + ": ");
    }

    @Test
    void shouldMapTheTablesOfTheDemo() throws IOException {
        try (InputStream tables = getClass().getResourceAsStream("/dev/vigil/demo/tables.yaml")) {
            String text = new String(Objects.requireNonNull(tables).readAllBytes(), StandardCharsets.UTF_8);
            String document = "data-dir: /d\nkafka: {bootstrap-servers: \"k:9092\"}\ncdc:\n"
                    + "  database: {host: postgres, user: vigil, name: bank}\n  tables:\n" + text.indent(4);
            VigilConfig demo = VigilConfig.from(ConfigDocument.parse("demo.yaml", document), Path.of("/"));

            assertThat(VigilConfig.load(Repository.file(FILE), ENVIRONMENT)
                            .cdc()
                            .orElseThrow()
                            .tables())
                    .extracting(table -> table.table() + table.columns())
                    .isEqualTo(demo.cdc().orElseThrow().tables().stream()
                            .map(table -> table.table() + table.columns())
                            .toList());
        }
    }

    private record Place(String path, int index, List<String> keys) {}

    private static Node compose() {
        return new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(Repository.text(FILE)));
    }

    /** Every mapping of the example, in document order. */
    private static List<Place> mappings() {
        List<Place> places = new ArrayList<>();
        nodes(compose())
                .forEach((path, mapping) -> places.add(new Place(
                        path,
                        places.size(),
                        mapping.getValue().stream()
                                .map(entry -> ((ScalarNode) entry.getKeyNode()).getValue())
                                .toList())));
        return places;
    }

    private static Map<String, MappingNode> nodes(Node root) {
        Map<String, MappingNode> nodes = new LinkedHashMap<>();
        collect("", root, nodes);
        return nodes;
    }

    private static void collect(String path, Node node, Map<String, MappingNode> nodes) {
        if (node instanceof MappingNode mapping) {
            nodes.put(path, mapping);
            for (NodeTuple entry : mapping.getValue()) {
                String key = ((ScalarNode) entry.getKeyNode()).getValue();
                collect(path.isEmpty() ? key : path + "." + key, entry.getValueNode(), nodes);
            }
        } else if (node instanceof SequenceNode sequence) {
            for (int i = 0; i < sequence.getValue().size(); i++) {
                collect(path + "[" + i + "]", sequence.getValue().get(i), nodes);
            }
        }
    }

    /** What the complaint about a key that does not exist offers instead. */
    private List<String> acceptedKeys(Place place) throws IOException {
        Node root = compose();
        MappingNode mapping = nodes(root).get(place.path());
        mapping.getValue()
                .add(new NodeTuple(
                        new ScalarNode(Tag.STR, NO_SUCH_KEY, null, null, DumperOptions.ScalarStyle.PLAIN),
                        new ScalarNode(Tag.STR, "x", null, null, DumperOptions.ScalarStyle.PLAIN)));
        StringWriter text = new StringWriter();
        new Yaml().serialize(root, text);
        Path file = Files.writeString(directory.resolve("vigil.yaml"), text.toString());
        ConfigException complaint =
                catchThrowableOfType(ConfigException.class, () -> VigilConfig.load(file, ENVIRONMENT));
        assertThat(complaint).as(place.path()).isNotNull();
        String message = String.valueOf(complaint.getMessage());
        assertThat(message).contains("'" + NO_SUCH_KEY + "', expected one of ");
        return List.of(message.substring(message.indexOf("expected one of ") + "expected one of ".length())
                .split(", ", -1));
    }
}
