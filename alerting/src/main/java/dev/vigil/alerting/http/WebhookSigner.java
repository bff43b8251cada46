package dev.vigil.alerting.http;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookSigningException;
import dev.vigil.alerting.WebhookSecret;
import java.util.List;
import java.util.StringJoiner;

/** Signs messages after Standard Webhooks, with each of an endpoint's secrets. Safe for any thread. */
final class WebhookSigner {
    private final List<Webhook> webhooks;

    WebhookSigner(List<WebhookSecret> secrets) {
        this.webhooks =
                secrets.stream().map(secret -> new Webhook(secret.text())).toList();
    }

    /** The {@code webhook-signature} header: {@code v1,…} for each secret, separated by blanks. */
    String sign(String id, long timestampSeconds, String body) {
        StringJoiner signatures = new StringJoiner(" ");
        for (Webhook webhook : webhooks) {
            try {
                signatures.add(webhook.sign(id, timestampSeconds, body));
            } catch (WebhookSigningException e) {
                throw new IllegalStateException("every Java platform has HmacSHA256", e);
            }
        }
        return signatures.toString();
    }
}
