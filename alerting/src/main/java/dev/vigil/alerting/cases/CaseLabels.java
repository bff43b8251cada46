package dev.vigil.alerting.cases;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.Disposition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Label events that a disposition becomes. */
final class CaseLabels {
    static final String SOURCE = "/vigil/cases";
    static final String LABEL = "fraud";

    private CaseLabels() {}

    /** One per event; none for {@link Disposition#UNSURE}. */
    static List<EventEnvelope> of(CaseAction close, Disposition disposition, List<LabelTarget> targets) {
        return disposition == Disposition.UNSURE
                ? List.of()
                : targets.stream()
                        .map(target -> label(close, disposition == Disposition.FRAUD, target))
                        .toList();
    }

    private static EventEnvelope label(CaseAction close, boolean value, LabelTarget target) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("event_source", target.source());
        data.put("event_id", target.eventId());
        data.put("label", LABEL);
        data.put("value", value);
        return new EventEnvelope(
                CaseIds.label(close.actionId(), target),
                SOURCE,
                EventTypes.LABEL,
                close.atMs() * 1_000,
                target.account(),
                false,
                Json.encode(data));
    }
}
