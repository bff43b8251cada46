package dev.vigil.launcher;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The dashboard that Grafana is given. */
final class GrafanaDashboard {
    private static final Pattern METRIC = Pattern.compile("\\b(?:vigil|jvm|process)_[a-z0-9_]+");

    private GrafanaDashboard() {}

    /** Panels with queries; headings are left out. */
    static List<JsonNode> panels() throws IOException {
        List<JsonNode> panels = new ArrayList<>();
        for (JsonNode panel : Json.mapper()
                .readTree(Repository.text("deploy/grafana/dashboards/vigil.json"))
                .path("panels")) {
            if (!panel.path("type").textValue().equals("row")) {
                panels.add(panel);
            }
        }
        return panels;
    }

    /** Names of the metrics that its queries ask for. */
    static Set<String> metrics() throws IOException {
        Set<String> names = new TreeSet<>();
        for (JsonNode panel : panels()) {
            for (JsonNode target : panel.path("targets")) {
                Matcher matcher = METRIC.matcher(target.path("expr").textValue());
                while (matcher.find()) {
                    names.add(matcher.group());
                }
            }
        }
        return names;
    }

    static boolean overlap(JsonNode one, JsonNode other) {
        return meet(one, other, "x", "w") && meet(one, other, "y", "h");
    }

    private static boolean meet(JsonNode one, JsonNode other, String start, String size) {
        int from = one.path("gridPos").path(start).intValue();
        int otherFrom = other.path("gridPos").path(start).intValue();
        return from < otherFrom + other.path("gridPos").path(size).intValue()
                && otherFrom < from + one.path("gridPos").path(size).intValue();
    }
}
