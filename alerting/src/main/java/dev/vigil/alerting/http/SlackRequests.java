package dev.vigil.alerting.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.alerting.AlertMessage;
import dev.vigil.event.Alert;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.RuleHit;
import java.util.List;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

/** A message of a few lines in Slack's notation. Text of events and rules cannot mention anybody or make links. */
final class SlackRequests implements ChannelRequests {
    private static final MediaType JSON = MediaType.get("application/json; charset=utf-8");
    private static final int RULES_MAX = 10;

    @Override
    public Request.Builder request(AlertMessage message, long nowMs) {
        ObjectNode body = Json.mapper().createObjectNode().put("text", text(message.alert()));
        return new Request.Builder().post(RequestBody.create(Json.encode(body), JSON));
    }

    private static String text(Alert alert) {
        StringBuilder text = new StringBuilder(400);
        text.append('*').append(escaped(AlertText.headline(alert))).append('*');
        List<RuleHit> rules = alert.rules();
        for (RuleHit hit : rules.subList(0, Math.min(RULES_MAX, rules.size()))) {
            text.append("\n• ").append(escaped(hit.reason() + " (" + hit.rule() + ", " + hit.score() + ")"));
        }
        if (rules.size() > RULES_MAX) {
            text.append("\n• and ").append(rules.size() - RULES_MAX).append(" more");
        }
        return text.append('\n')
                .append(escaped(alert.type() + " " + alert.eventId() + " of " + EventTimes.format(alert.eventTimeUs())
                        + ", policy " + alert.policy() + " version " + alert.policyVersion() + ", alert "
                        + alert.alertId()))
                .toString();
    }

    /** As Slack asks for; what it would take for a mention or a link begins with {@code <}. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
