package dev.vigil.launcher;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.config.Durations;
import dev.vigil.event.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Settings of an endpoint as options give them. What they may be, alerting checks. */
final class EndpointSettings {
    static final String DESCRIPTION = "A setting, as in --set min-score=80 --set decisions=decline,review; a value of -"
            + " is read from a line of the standard input.";

    private static final String FROM_INPUT = "-";
    private static final Set<String> LISTS = Set.of("decisions", "rules");
    private static final Set<String> NUMBERS = Set.of("min-score", "min-amount", "max-in-flight", "max-per-second");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

    private final ObjectNode json = Json.mapper().createObjectNode();
    private @Nullable BufferedReader input;

    /** @throws CommandFailure if the standard input has no line for it */
    void put(String key, String given) {
        String value = given.equals(FROM_INPUT) ? line(key) : given;
        if (LISTS.contains(key)) {
            ArrayNode items = json.putArray(key);
            for (String item : value.split(",", -1)) {
                items.add(item.strip());
            }
        } else if (NUMBERS.contains(key) && NUMBER.matcher(value).matches()) {
            json.set(key, number(value));
        } else {
            json.put(key, value);
        }
    }

    private static JsonNode number(String digits) {
        return Json.mapper().getNodeFactory().numberNode(new BigDecimal(digits));
    }

    void unset(String key) {
        json.putNull(key);
    }

    ObjectNode json() {
        return json;
    }

    private String line(String key) {
        try {
            if (input == null) {
                input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            }
            String line = input.readLine();
            if (line != null) {
                return line.strip();
            }
        } catch (IOException e) {
            throw new CommandFailure(key + ": the standard input cannot be read");
        }
        throw new CommandFailure(key + ": expected a line on the standard input, found its end");
    }

    /** Null if absent. */
    static @Nullable Duration duration(CommandSpec spec, String option, @Nullable String text) {
        try {
            return text == null ? null : Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage());
        }
    }
}
