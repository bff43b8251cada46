package dev.vigil.launcher;

import dev.vigil.alerting.receiver.ReceivedAlert;
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

/** A received alert on one line of a terminal; reasons that do not fit are cut, history and webhook have them whole. */
final class AlertLine {
    static final int COLUMNS = 120;
    private static final int ACCOUNT_COLUMNS = 24;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    private AlertLine() {}

    static String of(ReceivedAlert received, ZoneId zone) {
        Alert alert = received.alert();
        Object amount = alert.fields().get("amount");
        String start = String.format(
                Locale.ROOT,
                "  %s  %-7s %4d  %-10s %12s  ",
                TIME.withZone(zone).format(Instant.ofEpochMilli(received.receivedAtMs())),
                alert.decision().label(),
                alert.score(),
                shortened(alert.account(), ACCOUNT_COLUMNS),
                amount == null ? "" : money(amount, alert.currency()));
        String end = String.format(
                Locale.ROOT,
                "  (%d ms)%s",
                received.receivedAtMs() - alert.ingestTimeMs(),
                received.repeated() ? " repeated" : "");
        String reasons = alert.rules().stream().map(RuleHit::reason).collect(Collectors.joining("; "));
        return start + shortened(reasons, COLUMNS - start.length() - end.length()) + end;
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
