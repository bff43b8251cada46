package dev.vigil.alerting.http;

import dev.vigil.event.Alert;
import java.util.Locale;

/** An alert in words, for channels that people read. */
final class AlertText {
    private AlertText() {}

    /** {@code DECLINE 115: account A01766, 589.53 EUR}; the amount only where the event has a field of that name. */
    static String headline(Alert alert) {
        Object amount = alert.fields().get("amount");
        return alert.decision().name().toUpperCase(Locale.ROOT) + " " + alert.score() + ": account " + alert.account()
                + (amount instanceof Number ? ", " + amount + " " + alert.currency() : "");
    }
}
