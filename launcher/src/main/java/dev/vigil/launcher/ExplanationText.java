package dev.vigil.launcher;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.EventTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** An explanation as text for a terminal. Whatever came from outside is printed without control characters. */
final class ExplanationText {
    /** Contributing events that are named, at either end; JSON has more. */
    private static final int NAMED = 3;

    private final JsonNode explanation;
    private final StringBuilder text = new StringBuilder();

    /** @param explanation as {@code GET /api/v1/events/explain} answers it */
    ExplanationText(JsonNode explanation) {
        this.explanation = explanation;
    }

    String text() {
        head();
        rules();
        features();
        if (!explanation.path("exact").asBoolean()) {
            line("", "? may differ from the scored record: " + doubts());
        }
        if (explanation.has("completeness_unknown")) {
            line("", "whether windows were complete is not known: " + shown(explanation.path("completeness_unknown")));
        }
        return text.toString();
    }

    private void head() {
        JsonNode position = explanation.path("position");
        line(
                "event",
                shown(explanation.path("type")) + " " + shown(explanation.path("event_id")) + " of "
                        + shown(explanation.path("source")));
        line("account", shown(explanation.path("account")));
        line("time", time(explanation.path("event_time_us")));
        line(
                "position",
                "partition " + shown(position.path("partition")) + ", offset " + shown(position.path("offset")));
        line("fields", members(explanation.path("fields")));
        line("policy", shown(explanation.path("policy")) + " version " + shown(explanation.path("policy_version")));
        line("decision", scored(explanation));
        JsonNode later = explanation.path("later");
        if (later.isObject()) {
            line(
                    "by now",
                    scored(later) + ": of the events within its windows, " + shown(later.path("events"))
                            + " came after it was scored");
        }
        text.append('\n');
    }

    private static String scored(JsonNode by) {
        return shown(by.path("decision")) + ", score " + shown(by.path("score"));
    }

    private void rules() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("rule", "hit", "score", "what it read"));
        for (JsonNode rule : explanation.path("rules")) {
            rows.add(List.of(
                    shown(rule.path("rule")),
                    (rule.path("hit").asBoolean() ? "yes" : "no")
                            + (rule.path("shadow").asBoolean() ? " (shadow)" : "")
                            + mark(rule),
                    shown(rule.path("score")),
                    members(rule.path("values"))));
        }
        table(rows);
    }

    private void features() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("feature", "value", "made of"));
        for (JsonNode feature : explanation.path("features")) {
            String value = feature.has("value") ? shown(feature.path("value")) : "absent";
            rows.add(List.of(shown(feature.path("name")), value + mark(feature), madeOf(feature)));
        }
        table(rows);
    }

    private String madeOf(JsonNode feature) {
        JsonNode window = feature.path("window");
        if (window.isMissingNode()) {
            return members(feature.path("reads"));
        }
        long count = window.path("count").asLong();
        JsonNode events = window.path("events");
        StringJoiner named = new StringJoiner(", ");
        for (int i = 0; i < events.size(); i++) {
            if (i < NAMED || i >= events.size() - NAMED) {
                JsonNode event = events.get(i);
                named.add(shown(event.path("event_id")) + (event.has("value") ? "=" + shown(event.path("value")) : ""));
            } else if (i == NAMED) {
                named.add("…");
            }
        }
        String partial =
                isPartial(feature) ? "; partial, complete from " + time(feature.path("complete_since_us")) + " on" : "";
        return count + " in (" + time(window.path("from_us")) + ", " + time(window.path("to_us")) + "]"
                + (count == 0 ? "" : ": " + named) + partial;
    }

    private boolean isPartial(JsonNode feature) {
        return feature.path("complete_since_us").asLong(Long.MIN_VALUE)
                > explanation.path("event_time_us").asLong();
    }

    private static String mark(JsonNode of) {
        return of.path("doubts").isEmpty() ? "" : " ?";
    }

    private String doubts() {
        List<String> all = new ArrayList<>();
        for (String part : List.of("features", "rules")) {
            explanation
                    .path(part)
                    .forEach(one -> one.path("doubts").forEach(doubt -> {
                        String told = told(doubt.asText());
                        if (!all.contains(told)) {
                            all.add(told);
                        }
                    }));
        }
        return String.join("; ", all);
    }

    private static String told(String doubt) {
        return switch (doubt) {
            case "forgotten" -> "events of the window may have been forgotten";
            case "labels" -> "labels count as they are now";
            case "reference" -> "a reference row has changed since, or is not there";
            case "fields" -> "a field of that policy has been given up";
            default -> printable(doubt);
        };
    }

    private static String members(JsonNode object) {
        StringJoiner members = new StringJoiner(", ");
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            members.add(printable(member.getKey()) + "=" + shown(member.getValue()));
        }
        return members.toString();
    }

    private static String shown(JsonNode value) {
        return printable(value.isBigDecimal() ? value.decimalValue().toPlainString() : value.asText());
    }

    private static String time(JsonNode us) {
        return EventTimes.format(us.asLong());
    }

    /** Without control characters, which could move the cursor or colour what follows. */
    static String printable(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().map(c -> Character.isISOControl(c) ? '\uFFFD' : c).forEach(clean::appendCodePoint);
        return clean.toString();
    }

    private void line(String name, String value) {
        text.append(String.format("%-10s%s%n", name, value).replaceFirst("^ {10}", ""));
    }

    private void table(List<List<String>> rows) {
        text.append(AlignedTable.of(rows)).append(System.lineSeparator());
    }
}
