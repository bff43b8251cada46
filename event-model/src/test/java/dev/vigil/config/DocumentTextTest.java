package dev.vigil.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents that are none, or that YAML could be used to harm with: refused at their place, in one line. */
class DocumentTextTest {
    private static void assertRefused(String text, String message) {
        assertThatThrownBy(() -> ConfigDocument.parse("f.yaml", text))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    @Test
    void shouldNamePlaceOfCharactersThatAreNoText() {
        assertRefused("a: 1\nb: x\u0000y", "f.yaml:2:5: expected text, found the character U+0000");
        assertRefused("a: 1\r\nb: \u001b[31m", "f.yaml:2:4: expected text, found the character U+001B");
        assertRefused("ä: 😀\ud800", "f.yaml:1:5: expected text, found the character U+D800");
        assertRefused("a: 1\rb: \u0007", "f.yaml:2:4: expected text, found the character U+0007");
        assertThat(ConfigDocument.parse("f.yaml", "a: \"\\e[31m 😀\"")
                        .require("a")
                        .text())
                .isEqualTo("\u001b[31m 😀");
    }

    @Test
    void shouldNamePlaceOfAnAliasOfAListOrMapping() {
        assertRefused(
                "a: &x [1]\nb: {c: 1, d: *x}",
                "f.yaml:2:14: expected a list or mapping written out, found the alias *x");
        assertRefused("a: &x\n  b: *x", "f.yaml:2:6: expected a list or mapping written out, found the alias *x");
        assertRefused(
                "a: *x",
                "f.yaml:1:4: expected a value, found the alias *x of nothing above; a text that begins with * stands in quotes");
        assertThat(ConfigDocument.parse("f.yaml", "a: &x 7\nb: *x").require("b").integer())
                .as("a scalar's alias harms nobody")
                .isEqualTo(7);
    }

    @Test
    void shouldNamePlaceWhereListsAndMappingsStandTooDeep() {
        assertRefused(
                "a: 1\nb: " + "[".repeat(5_000),
                "f.yaml:2:43: expected at most 40 lists and mappings within each other, found more");
        ConfigNode deep = ConfigDocument.parse("f.yaml", "b: " + "[".repeat(39) + "1" + "]".repeat(39))
                .require("b");
        for (int i = 0; i < 39; i++) {
            deep = deep.items().get(0);
        }
        assertThat(deep.integer()).isEqualTo(1);
    }

    @Test
    void shouldNamePlaceOfBytesThatAreNoText(@TempDir Path directory) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("ä: 1\nö: é".getBytes(StandardCharsets.UTF_8));
        bytes.write(0xE4);
        bytes.write('x');
        Path file = Files.write(directory.resolve("latin.yaml"), bytes.toByteArray());
        assertThatThrownBy(() -> ConfigDocument.readText(file))
                .isInstanceOf(ConfigException.class)
                .hasMessage(file + ":2:5: expected UTF-8, found the byte 0xE4");
        Path cut = Files.write(directory.resolve("cut.yaml"), new byte[] {'a', (byte) 0xC3});
        assertThatThrownBy(() -> ConfigDocument.readText(cut))
                .hasMessage(cut + ":1:2: expected UTF-8, found the byte 0xC3");
        assertThatThrownBy(() -> ConfigDocument.readText(directory)).hasMessageStartingWith(directory + ": cannot");
    }

    @Test
    void shouldNamePlaceWhereADocumentPassesItsLimit() {
        assertThat(ConfigDocument.parse("f.yaml", "a: é", 5).require("a").text())
                .isEqualTo("é");
        assertThatThrownBy(() -> ConfigDocument.parse("f.yaml", "a: 1\nb: é", 9))
                .hasMessage("f.yaml:2:4: expected a text of at most 9 bytes, found 10");
    }

    @Test
    void shouldNamePlaceOfTheFirstEntryThatIsTooMany() {
        ConfigNode root = ConfigDocument.parse("f.yaml", "m:\n  a: 1\n  b: 2\n  c: 3\nl: [1, 2, 3]");
        assertThatThrownBy(() -> root.require("m").requireAtMost(2, "things"))
                .hasMessage("f.yaml:4:3: m: expected at most 2 things, found 3");
        assertThatThrownBy(() -> root.require("l").requireAtMost(1, "things"))
                .hasMessage("f.yaml:5:8: l: expected at most 1 things, found 3");
        assertThat(root.require("m").requireAtMost(3, "things").keys()).hasSize(3);
    }

    @Test
    void shouldKeepMessagesOnOneLineWhateverKeysAndValuesHold() {
        ConfigNode root = ConfigDocument.parse("f.yaml", "\"k\\ny\\e[31m\\u202e\": \"v\\r\\n\\e[0m\"");
        assertThatThrownBy(() -> root.knownKeys("other"))
                .hasMessage("f.yaml:1:1: k\\ny\\u001b[31m\\u202e: unknown key 'k\\ny\\u001b[31m\\u202e',"
                        + " expected one of other");
        assertThatThrownBy(() -> root.require("k\ny\u001b[31m\u202e").integer())
                .hasMessage("f.yaml:1:21: k\\ny\\u001b[31m\\u202e: expected an integer, found 'v\\r\\n\\u001b[0m'");
    }

    @Test
    void shouldCutLongKeysAndValuesWhereItRepeatsThem() {
        String longText = "x".repeat(5_000);
        ConfigNode root = ConfigDocument.parse("f.yaml", "? " + longText + "\n: " + longText);
        String shown = "x".repeat(80) + "…";
        assertThatThrownBy(() -> root.require(longText).integer())
                .hasMessage("f.yaml:2:3: " + shown + ": expected an integer, found '" + shown + "'");
        assertThatThrownBy(() -> root.knownKeys("other"))
                .hasMessage("f.yaml:1:3: " + shown + ": unknown key '" + shown + "', expected one of other");
        assertThatThrownBy(() -> root.require(longText).duration()).hasMessageEndingWith("found " + shown);
        assertThat(new ConfigException("y".repeat(5_000))).hasMessage("y".repeat(1_000) + "…");
    }
}
