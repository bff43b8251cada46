package dev.vigil.alerting.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Channel;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

/**
 * A {@code trigger} event of PagerDuty's Events API v2. The alert's id is the {@code dedup_key}, so that a repeat does not page
 * again.
 */
final class PagerDutyRequests implements ChannelRequests {
    private static final MediaType JSON = MediaType.get("application/json; charset=utf-8");
    private static final int SUMMARY_MAX = 1_024;

    private final String routingKey;

    PagerDutyRequests(Channel.PagerDuty pagerDuty) {
        this.routingKey = pagerDuty.routingKey();
    }

    @Override
    public Request.Builder request(AlertMessage message, long nowMs) {
        Alert alert = message.alert();
        ObjectNode event = Json.mapper().createObjectNode();
        event.put("routing_key", routingKey);
        event.put("event_action", "trigger");
        event.put("dedup_key", alert.alertId());
        event.put("client", "Vigil");
        ObjectNode payload = event.putObject("payload");
        String summary = AlertText.headline(alert);
        payload.put("summary", summary.substring(0, Math.min(SUMMARY_MAX, summary.length())));
        payload.put("source", alert.source());
        payload.put("severity", severity(alert.decision()));
        payload.put("timestamp", EventTimes.format(alert.eventTimeUs()));
        payload.put("component", alert.account());
        payload.put("group", alert.policy());
        payload.put("class", alert.type());
        ObjectNode details = payload.putObject("custom_details");
        details.put("event_id", alert.eventId());
        details.put("policy_version", alert.policyVersion());
        details.put("score", alert.score());
        ObjectNode rules = details.putObject("rules");
        alert.rules().forEach(hit -> rules.put(hit.rule(), hit.reason()));
        return new Request.Builder().post(RequestBody.create(Json.encode(event), JSON));
    }

    private static String severity(Decision decision) {
        return switch (decision) {
            case DECLINE -> "critical";
            case REVIEW -> "warning";
            case APPROVE -> "info";
        };
    }
}
