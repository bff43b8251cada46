package dev.vigil.alerting.cases;

import dev.vigil.event.cases.AlertCase;

/** An event behind an alert of a case: what a disposition labels. */
public record LabelTarget(String source, String eventId, String account) {
    public static LabelTarget of(AlertCase.CaseAlert alert) {
        return new LabelTarget(alert.source(), alert.eventId(), alert.account());
    }
}
