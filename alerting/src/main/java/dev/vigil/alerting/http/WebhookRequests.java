package dev.vigil.alerting.http;

import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Channel;
import java.nio.charset.StandardCharsets;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

/** A CloudEvent in structured mode, signed after Standard Webhooks with the time of the attempt. */
final class WebhookRequests implements ChannelRequests {
    private static final MediaType CLOUD_EVENT = MediaType.get("application/cloudevents+json; charset=utf-8");

    private final WebhookSigner signer;

    WebhookRequests(Channel.Webhook webhook) {
        this.signer = new WebhookSigner(webhook.secrets());
    }

    @Override
    public Request.Builder request(AlertMessage message, long nowMs) {
        long timestampSeconds = Math.floorDiv(nowMs, 1_000);
        long ageSeconds = Math.max(0, nowMs - message.alert().ingestTimeMs()) / 1_000;
        String body = new String(message.body(), StandardCharsets.UTF_8);
        return new Request.Builder()
                .header("webhook-id", message.alertId())
                .header("webhook-timestamp", Long.toString(timestampSeconds))
                .header("webhook-signature", signer.sign(message.alertId(), timestampSeconds, body))
                .header("vigil-attempt", Integer.toString(message.attempt()))
                .header("vigil-age", Long.toString(ageSeconds))
                .post(RequestBody.create(message.body(), CLOUD_EVENT));
    }
}
