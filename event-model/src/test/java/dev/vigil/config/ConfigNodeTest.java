package dev.vigil.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigNodeTest {
    private static final ConfigNode ROOT = ConfigDocument.parse("c.yaml", """
            name: vigil
            port: 8080
            large: 5000000000
            ratio: 0.5
            on: true
            wait: 250ms
            nothing:
            section:
              list: [1, two]
              inner: {key: value}
            """);

    private static void assertComplaint(Runnable action, String message) {
        assertThatThrownBy(action::run).isInstanceOf(ConfigException.class).hasMessage(message);
    }

    @Test
    void shouldReadValues() {
        assertThat(ROOT.require("name").text()).isEqualTo("vigil");
        assertThat(ROOT.require("port").integer()).isEqualTo(8_080);
        assertThat(ROOT.require("port").text()).isEqualTo("8080");
        assertThat(ROOT.require("large").longInteger()).isEqualTo(5_000_000_000L);
        assertThat(ROOT.require("ratio").number()).isEqualTo(0.5);
        assertThat(ROOT.require("on").bool()).isTrue();
        assertThat(ROOT.require("wait").duration()).isEqualTo(Duration.ofMillis(250));
        assertThat(ROOT.get("port", 1, ConfigNode::integer)).isEqualTo(8_080);
        assertThat(ROOT.get("absent", 1, ConfigNode::integer)).isEqualTo(1);
        assertThat(ROOT.get("nothing", 1, ConfigNode::integer)).isEqualTo(1);
        assertThat(ROOT.has("nothing")).isTrue();
        assertThat(ROOT.require("section").keys()).containsExactly("list", "inner");
        assertThat(ROOT.require("section").require("inner").require("key").path())
                .isEqualTo("section.inner.key");
    }

    @Test
    void shouldNamePlaceExpectedAndFound() {
        assertComplaint(() -> ROOT.require("name").integer(), "c.yaml:1:7: name: expected an integer, found 'vigil'");
        assertComplaint(
                () -> ROOT.require("large").integer(), "c.yaml:3:8: large: expected an integer, found '5000000000'");
        assertComplaint(
                () -> ROOT.require("port").integerBetween(1, 80),
                "c.yaml:2:7: port: expected an integer from 1 to 80, found '8080'");
        assertComplaint(() -> ROOT.require("name").bool(), "c.yaml:1:7: name: expected true or false, found 'vigil'");
        assertComplaint(() -> ROOT.require("section").text(), "c.yaml:9:3: section: expected a text, found a mapping");
        assertComplaint(
                () -> ROOT.require("section").require("list").keys(),
                "c.yaml:9:9: section.list: expected a mapping, found a list");
        assertComplaint(() -> ROOT.require("name").items(), "c.yaml:1:7: name: expected a list, found 'vigil'");
        assertComplaint(
                () -> ROOT.require("section").require("list").items().get(1).integer(),
                "c.yaml:9:13: section.list[1]: expected an integer, found 'two'");
        assertComplaint(() -> ROOT.require("absent"), "c.yaml:1:1: missing 'absent'");
        assertComplaint(() -> ROOT.require("nothing"), "c.yaml:7:9: nothing: expected a value, found nothing");
        assertComplaint(
                () -> ROOT.require("name").duration(),
                "c.yaml:1:7: name: expected a duration such as 30s, 15m, 24h or 7d, found vigil");
    }

    @Test
    void shouldRefuseUnknownKeysAtTheirPlace() {
        assertComplaint(
                () -> ROOT.knownKeys("name", "port", "large", "ratio", "on", "wait", "nothing", "sections"),
                "c.yaml:8:1: section: unknown key 'section', did you mean 'sections'?");
        assertComplaint(
                () -> ROOT.require("section").knownKeys("list", "zzz"),
                "c.yaml:10:3: section.inner: unknown key 'inner', expected one of list, zzz");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", ".inf", "Infinity", "1e999", "x"})
    void shouldRefuseNumbersThatAreNotFinite(String text) {
        assertThatThrownBy(() ->
                        ConfigDocument.parse("f", "a: " + text).require("a").number())
                .isInstanceOf(ConfigException.class);
    }

    /** One YAML reads an octal number, the next a decimal one, and somebody else meant a text. */
    @ParameterizedTest
    @ValueSource(strings = {"010", "00", "-01", "+012"})
    void shouldRefuseIntegersThatCouldBeOctal(String text) {
        ConfigNode node = ConfigDocument.parse("f", "a: " + text).require("a");
        String message = "f:1:4: a: expected an integer without leading zeros, found '" + text + "'";
        assertComplaint(node::integer, message);
        assertComplaint(node::longInteger, message);
        assertComplaint(() -> node.integerBetween(0, 100), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+1", "1_000", "0x10", "1.0", "1e3", "\u0663", "''"})
    void shouldTakeNothingButDigitsForAnInteger(String text) {
        ConfigNode node = ConfigDocument.parse("f", "a: " + text).require("a");
        assertThatThrownBy(node::integer)
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("f:1:4: a: expected an integer, found ");
        assertThat(ConfigDocument.parse("f", "a: [0, -7]").require("a").items())
                .extracting(ConfigNode::integer)
                .containsExactly(0, -7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "- a",
                "text",
                "a: 1\na: 2",
                "a: [",
                "a: {b: 1",
                "? [x]\n: y",
                "a: \u0007",
                "a: *x",
                "a: &x [1]\nb: *x",
                "---\na: 1\n---\nb: 2",
                "\t"
            })
    void shouldExplainInOneLineWhatIsNoDocument(String text) {
        assertThatThrownBy(() -> ConfigDocument.parse("f.yaml", text))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("f.yaml:")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '^',
            quoteCharacter = '`',
            value = {
                "a: 1~---~b: 2^2:1: expected one document, found the start of another",
                "a: 1~...~b: 2^3:1: expected the end of the document, or one indentation for all of its keys, found a key",
                "%YAML 2.0~---~a: 1^1:1: expected YAML 1.1 or 1.2, found another version",
                "a: b: c^1:5: expected no ':' here: a text with ': ' in it stands in quotes, and a key on a line of its own,"
                        + " as far in as the others",
                "a: - b^1:4: expected no '- ' here: the entries of a list stand on lines of their own",
                "a: ? b^1:4: expected no '? ' here: a text that begins with it stands in quotes",
                "a: 1~b~c: 2^2:1: expected 'key: value', found no ':'",
                "a: 1~b: 'x~c: 2^2:4: expected the quote that ends the text, found none",
                "a: \"\\q\"^1:6: expected an escape that YAML knows, found \\q; a backslash within double quotes is written"
                        + " twice",
                "a: \"\\x\"^1:7: expected 2 hexadecimal digits of an escaped character",
                "a:~\tb: 1^2:1: expected spaces, found a tab",
                "a: @x^1:4: expected a text in quotes, since it begins with @",
                "a: [1, 2^1:9: expected ',' or ']', found the end of the file",
                "a: {b: 1]^1:9: expected ',' or '}', found ']'",
                "a: 'it's'^1:8: expected the end of the value, found more text; a text with quotes in it stands in quotes"
                        + " of the other kind",
                "a:~  b: 1~ c: 2^3:2: expected the next key or entry, as far in as those above, found a key",
                "a: 1~- b^2:1: expected the next key or entry, as far in as those above, found an entry of a list",
                "a: ,^1:4: expected a value, found ','",
                "a: !x!y 1^1:4: expected a value, found the tag !x! of no meaning here; a text that begins with ! stands in"
                        + " quotes",
                "a: &^1:5: expected a name after & or *; a text that begins with one of these stands in quotes",
                "a: >z^1:5: expected the end of the line after | or >, found z"
            })
    void shouldSayInPlainWordsWhatIsWrongWithTheYaml(String text, String message) {
        assertComplaint(
                () -> ConfigDocument.parse("f.yaml", text.replace('~', '\n').replace("\\t", "\t")),
                "f.yaml:" + message);
    }

    @Test
    void shouldPutTheEnvironmentIn(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("c.yaml");
        Files.writeString(file, "a: ${SECRET}\nb: ${PORT:-80}\nc: $not\nd: ${EMPTY:-}x");
        ConfigNode root = ConfigDocument.load(file, Map.of("SECRET", "p$1\\"));
        assertThat(List.of("a", "b", "c", "d").stream()
                        .map(key -> root.require(key).text()))
                .containsExactly("p$1\\", "80", "$not", "x");
        assertThatThrownBy(() -> ConfigDocument.load(file, Map.of()))
                .hasMessage(file + ":1:4: the environment has no variable SECRET, and it has no fallback");
        assertThatThrownBy(() -> ConfigDocument.load(directory.resolve("none.yaml"), Map.of()))
                .hasMessage(directory.resolve("none.yaml") + ": no such file");
    }

    @ParameterizedTest
    @CsvSource({
        "0s, 0",
        "250ms, 250",
        "30s, 30000",
        "15m, 900000",
        "24h, 86400000",
        "30d, 2592000000",
        "36500d, 3153600000000"
    })
    void shouldReadDurations(String text, long ms) {
        assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(ms));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1", "s", "-1s", "1.5h", "1h30m", "1 h", "1w", "36501d", "999999999999d", "1000000000000s"})
    void shouldRefuseOtherDurations(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(", found " + text);
    }

    @Test
    void shouldSuggestTheNearestName() {
        List<String> known = List.of("count", "sum", "avg", "allowed_lateness");
        assertThat(NearestName.of("cuont", known)).contains("count");
        assertThat(NearestName.of("allowed_latness", known)).contains("allowed_lateness");
        assertThat(NearestName.of("sun", known)).contains("sum");
        assertThat(NearestName.of("median", known)).isEmpty();
        assertThat(NearestName.of("x", List.of())).isEmpty();
    }
}
