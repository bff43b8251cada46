package dev.vigil.launcher;

import dev.vigil.event.EventTimes;
import dev.vigil.event.endpoint.EndpointView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** An endpoint in lines for people. */
final class EndpointText {
    private EndpointText() {}

    static String of(EndpointView endpoint) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("name", endpoint.name()));
        rows.add(List.of("made by", origin(endpoint)));
        rows.add(List.of("channel", endpoint.channel()));
        rows.add(List.of("url", endpoint.url()));
        rows.add(List.of("state", endpoint.state()));
        if (endpoint.problem() != null) {
            rows.add(List.of("problem", ExplanationText.printable(endpoint.problem())));
        }
        rows.add(List.of(
                "deliveries",
                endpoint.delivered() + " made, " + endpoint.pending() + " pending, " + endpoint.givenUp()
                        + " given up, " + endpoint.failedAttempts() + " failed attempts"));
        rows.add(List.of("alerts", wanted(endpoint)));
        rows.add(List.of(
                "limits",
                endpoint.maxInFlight() + " attempts at a time, "
                        + (endpoint.maxPerSecond() == null ? "as many" : endpoint.maxPerSecond()) + " per second, "
                        + Duration.ofMillis(endpoint.connectTimeoutMs())
                                .toString()
                                .substring(2)
                                .toLowerCase(Locale.ROOT)
                        + " to connect, "
                        + Duration.ofMillis(endpoint.timeoutMs())
                                .toString()
                                .substring(2)
                                .toLowerCase(Locale.ROOT)
                        + " in all"));
        rows.add(List.of("order", endpoint.order()));
        for (Long untilMs : endpoint.formerSecretsUntilMs()) {
            rows.add(List.of("former secret", "signs until " + EventTimes.format(untilMs * 1_000)));
        }
        return AlignedTable.of(rows);
    }

    static String origin(EndpointView endpoint) {
        return endpoint.origin().name().toLowerCase(Locale.ROOT);
    }

    private static String wanted(EndpointView endpoint) {
        StringBuilder wanted = new StringBuilder(endpoint.decisions().stream()
                .map(decision -> decision.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", ")));
        if (endpoint.rules() != null) {
            wanted.append("; of the rules ").append(String.join(", ", endpoint.rules()));
        }
        if (endpoint.minScore() > 0) {
            wanted.append("; score ").append(endpoint.minScore()).append(" or more");
        }
        if (endpoint.minAmount() != null) {
            wanted.append("; ")
                    .append(endpoint.amountField())
                    .append(' ')
                    .append(endpoint.minAmount().toPlainString())
                    .append(" or more");
        }
        return wanted.toString();
    }
}
