package dev.vigil.alerting.http;

import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Channel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

/** A CloudEvent in structured mode, signed after Standard Webhooks with the time of the attempt. */
final class WebhookRequests implements ChannelRequests {
    private static final MediaType CLOUD_EVENT = MediaType.get("application/cloudevents+json; charset=utf-8");

    private final WebhookSigner signer;
    private final List<Former> former;

    private record Former(WebhookSigner signer, long untilMs) {}

    WebhookRequests(Channel.Webhook webhook) {
        this.signer = new WebhookSigner(webhook.secrets());
        this.former = webhook.former().stream()
                .map(secret -> new Former(new WebhookSigner(List.of(secret.secret())), secret.untilMs()))
                .toList();
    }

    @Override
    public Request.Builder request(AlertMessage message, long nowMs) {
        long timestampSeconds = Math.floorDiv(nowMs, 1_000);
        long ageSeconds = Math.max(0, nowMs - message.alert().ingestTimeMs()) / 1_000;
        String body = new String(message.body(), StandardCharsets.UTF_8);
        StringBuilder signatures = new StringBuilder(signer.sign(message.alertId(), timestampSeconds, body));
        for (Former secret : former) {
            if (nowMs < secret.untilMs()) {
                signatures.append(' ').append(secret.signer().sign(message.alertId(), timestampSeconds, body));
            }
        }
        Request.Builder request = new Request.Builder()
                .header("webhook-id", message.alertId())
                .header("webhook-timestamp", Long.toString(timestampSeconds))
                .header("webhook-signature", signatures.toString())
                .header("vigil-attempt", Integer.toString(message.attempt()))
                .header("vigil-age", Long.toString(ageSeconds))
                .post(RequestBody.create(message.body(), CLOUD_EVENT));
        // Beside the body, which is the same for every attempt at an alert.
        return message.redelivery() ? request.header("vigil-redelivery", "true") : request;
    }
}
