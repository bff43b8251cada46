package dev.vigil.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.vigil.config.ConfigException;
import dev.vigil.scoring.expression.ExpressionCompiler;
import dev.vigil.scoring.policy.PolicyLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The JSON Schema of policies, the policies that Vigil ships, and those in the documentation, against each other. */
class PolicySchemaTest {
    private static final Path REPOSITORY = Path.of(System.getProperty("vigil.repository", ".."));
    private static final Pattern YAML_BLOCK = Pattern.compile("```yaml\\R(.*?)```", Pattern.DOTALL);
    private static final Schema SCHEMA = schema();

    private static Schema schema() {
        try {
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(new ObjectMapper().readTree(read("policies/policy.schema.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(String file) {
        try {
            return Files.readString(REPOSITORY.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Error> complaints(String yaml) throws IOException {
        return SCHEMA.validate(new YAMLMapper().readTree(yaml));
    }

    static Stream<String> shippedPolicies() throws IOException {
        try (Stream<Path> files = Files.list(REPOSITORY.resolve("policies"))) {
            return files
                    .map(file -> "policies/" + file.getFileName())
                    .filter(file -> file.endsWith(".yaml") && !file.endsWith(".mapping.yaml"))
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("shippedPolicies")
    void shouldAcceptShippedPolicies(String file) throws IOException {
        String yaml = read(file);
        assertThat(complaints(yaml)).isEmpty();
        assertThat(Policies.check(file, yaml).rules()).isNotEmpty();
    }

    private static List<String> yamlBlocks(String file) {
        List<String> blocks = new ArrayList<>();
        for (Matcher matcher = YAML_BLOCK.matcher(read(file)); matcher.find(); ) {
            blocks.add(matcher.group(1));
        }
        return blocks;
    }

    /** A whole policy stands as it is; pieces are put into a policy that has what they need. */
    @ParameterizedTest
    @CsvSource({"README.md", "docs/policy.md"})
    void shouldAcceptThePoliciesInTheDocumentation(String file) throws IOException {
        List<String> blocks = yamlBlocks(file);
        assertThat(blocks).isNotEmpty();
        for (String block : blocks) {
            String yaml = block.startsWith("policy:") ? block : whole(block);
            assertThat(complaints(yaml)).as(yaml).isEmpty();
            assertThat(Policies.check(file, yaml)).isNotNull();
        }
    }

    private static String whole(String piece) {
        StringBuilder whole = new StringBuilder("policy: p\nversion: 1\ncurrency: EUR\n");
        String events = """
                events:
                  transaction: {fields: {amount: money, merchant: string, device: string, online: bool, lat: double, lon: double}}
                  login: {fields: {success: bool}}
                """;
        String reference = "reference: {account: {fields: {home_country: string, credit_limit: money}}}\n";
        return whole.append(piece.contains("events:") ? "" : events)
                .append(piece.contains("reference:") ? "" : reference)
                .append(piece)
                .toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "version: 3|version: 0",
                "version: 3|version: three",
                "currency: EUR|currency: euro",
                "late: side_output|late: sometimes",
                "late: side_output|late: drop, correct_within: 1d",
                "late: side_output|late: update, correct_within: a day",
                "allowed_lateness: 1h|allowed_lateness: 1 hour",
                "amount: money|amount: mony",
                "amount: money|account: money",
                "amount: money|amount-2: money",
                "count: transaction, over: 1h|cuont: transaction, over: 1h",
                "count: transaction, over: 1h|count: transaction",
                "count: transaction, over: 1h|over: 1h",
                "count: transaction, over: 1h|count: transaction, sum: transaction.amount, over: 1h",
                "count: transaction, over: 1h|count: transaction, over: 1h, n: 2",
                "count: transaction, over: 1h|count: transaction, over: 1h, per: terminal",
                "n: 3, |''",
                "score: 35|score: 1001",
                "score: 35, |''",
                "review: 50|revue: 50",
                "on: [decline|on: [refuse",
                "cooldown|cool_down",
                "every: day|every: fortnight",
                "zone: Europe/Berlin, |''",
                "every: 15m|every: 15m, zone: UTC",
                "n: {count: transaction}|n: {count: transaction, over: 1h}",
                "n: {count: transaction}|n: {elapsed_since: transaction}",
                "fails:|event_TYPE:",
                "fails:|in:",
                "deny: {field|while: {field",
                "account: {fields: {home|package: {fields: {home",
                "id: limit|id: a b",
                "id: limit|id: ''",
                "policy: card-fraud|policy: card fraud"
            })
    void shouldRefuseWhatTheReaderRefuses(String good, String bad) throws IOException {
        String yaml = PolicyMessagesTest.GOOD;
        assertThat(complaints(yaml)).isEmpty();
        assertThat(yaml).contains(good);
        String changed = yaml.replace(good, bad);
        assertThat(complaints(changed)).as(changed).isNotEmpty();
        assertThatThrownBy(() -> Policies.check("p", changed)).isInstanceOf(ConfigException.class);
    }

    @Test
    void shouldHaveTheLimitsOfTheReader() throws IOException {
        JsonNode schema = new ObjectMapper().readTree(read("policies/policy.schema.json"));
        Map<String, Integer> limits = Map.of(
                "/properties/events/maxProperties", PolicyLimits.EVENT_TYPES,
                "/properties/reference/maxProperties", PolicyLimits.REFERENCES,
                "/properties/features/maxProperties", PolicyLimits.FEATURES,
                "/properties/summaries/maxProperties", PolicyLimits.SUMMARIES,
                "/properties/summaries/additionalProperties/properties/values/maxProperties",
                        PolicyLimits.SUMMARY_VALUES,
                "/properties/lists/maxProperties", PolicyLimits.LISTS,
                "/properties/rules/maxItems", PolicyLimits.RULES,
                "/$defs/fields/maxProperties", PolicyLimits.FIELDS,
                "/$defs/name/maxLength", PolicyLimits.NAME_CHARACTERS,
                "/$defs/expression/maxLength", ExpressionCompiler.MAX_CHARACTERS);
        limits.forEach(
                (place, limit) -> assertThat(schema.at(place).asInt()).as(place).isEqualTo(limit));
    }

    /** The message that the README shows is the one that comes. */
    @Test
    void shouldShowATypoInTheReadmeAsItIs() {
        String yaml = yamlBlocks("README.md").stream()
                .filter(block -> block.startsWith("policy:"))
                .findFirst()
                .orElseThrow();
        String typo = yaml.replaceFirst("count: transaction, over", "count: transaction, ovr");
        String shown = read("README.md")
                .lines()
                .filter(line -> line.startsWith("vigil: policy.yaml:"))
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(() -> Policies.check("policy.yaml", typo)).hasMessage(shown.substring("vigil: ".length()));
    }
}
