package dev.vigil.launcher;

import dev.vigil.alerting.receiver.ReceivedAlert;
import dev.vigil.config.OneLine;
import dev.vigil.event.Alert;
import dev.vigil.event.MinorUnits;
import dev.vigil.event.RuleHit;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A received alert on one line of a terminal, with account and event as {@code vigil explain} takes them; reasons that do not
 * fit are cut, history and webhook have them whole.
 */
final class AlertLine {
    static final int COLUMNS = 120;
    private static final int NAME_COLUMNS = 24;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    private AlertLine() {}

    static String of(ReceivedAlert received, ZoneId zone) {
        Alert alert = received.alert();
        String start = String.format(
                Locale.ROOT,
                "  %s  %-7s %4d  %-7s %s  ",
                TIME.withZone(zone).format(Instant.ofEpochMilli(received.receivedAtMs())),
                alert.decision().label(),
                alert.score(),
                shortened(OneLine.of(alert.account()), NAME_COLUMNS),
                eventAndAmount(alert));
        String end = String.format(
                Locale.ROOT,
                "  (%d ms)%s",
                received.receivedAtMs() - alert.ingestTimeMs(),
                received.repeated() ? " repeated" : "");
        String reasons = alert.rules().stream().map(RuleHit::reason).collect(Collectors.joining("; "));
        return start + shortened(OneLine.of(reasons), COLUMNS - start.length() - end.length()) + end;
    }

    /** In the columns of both; an event without an amount, such as a login, may have a longer id. */
    private static String eventAndAmount(Alert alert) {
        String id = shortened(OneLine.of(alert.eventId()), NAME_COLUMNS);
        Object amount = alert.fields().get("amount");
        return amount == null
                ? String.format(Locale.ROOT, "%-21s", id)
                : String.format(Locale.ROOT, "%-8s %12s", id, money(amount, alert.currency()));
    }

    private static String money(Object amount, String currency) {
        int digits = MinorUnits.of(currency).digits();
        return new BigDecimal(amount.toString()).setScale(digits, RoundingMode.HALF_UP) + " " + currency;
    }

    /** The text, or as many whole words of it as leave room for the sign that there were more. */
    static String shortened(String text, int columns) {
        if (text.length() <= columns) {
            return text;
        }
        int room = Math.max(0, columns - 1);
        int lastSpace = text.lastIndexOf(' ', room - 1);
        return lastSpace > 0 ? text.substring(0, lastSpace + 1) + "…" : text.substring(0, room) + "…";
    }
}
