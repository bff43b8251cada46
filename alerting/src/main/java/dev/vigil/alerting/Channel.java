package dev.vigil.alerting;

import dev.vigil.config.ConfigNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What an endpoint understands: how an alert is put for it, and what proves where it comes from. */
public sealed interface Channel {
    /** Where PagerDuty takes events. */
    String PAGER_DUTY_URL = "https://events.pagerduty.com/v2/enqueue";

    /**
     * A CloudEvent after Standard Webhooks.
     *
     * @param secrets every message carries one signature of each; two during a rotation
     * @param former secrets that were replaced, and sign until their time is over
     */
    record Webhook(List<WebhookSecret> secrets, List<FormerSecret> former) implements Channel {
        public Webhook {
            if (secrets.isEmpty()) {
                throw new IllegalArgumentException("expected at least one secret");
            }
            secrets = List.copyOf(secrets);
            former = List.copyOf(former);
        }

        public Webhook(List<WebhookSecret> secrets) {
            this(secrets, List.of());
        }
    }

    /**
     * A secret that was replaced.
     *
     * @param untilMs from then on no message is signed with it, ms since the epoch
     */
    record FormerSecret(WebhookSecret secret, long untilMs) {}

    /** A message for Slack's incoming webhooks, and for those that understand the same. Its URL is its secret. */
    record Slack() implements Channel {}

    /**
     * An event after PagerDuty's Events API v2.
     *
     * @param routingKey of the integration; a secret, so not in {@link #toString}
     */
    record PagerDuty(String routingKey) implements Channel {
        public PagerDuty {
            if (!routingKey.matches("[A-Za-z0-9]{32}")) {
                throw new IllegalArgumentException("expected a routing key of 32 letters and digits, found another");
            }
        }

        @Override
        public String toString() {
            return "PagerDuty[***]";
        }
    }

    /** From the keys of an endpoint. */
    static Channel from(ConfigNode endpoint) {
        String name = endpoint.get("channel", "webhook", ConfigNode::text);
        refuse(endpoint, "secrets", !name.equals("webhook"), "webhook");
        refuse(endpoint, "routing-key", !name.equals("pagerduty"), "pagerduty");
        return switch (name) {
            case "webhook" -> new Webhook(secrets(endpoint.require("secrets")));
            case "slack" -> new Slack();
            case "pagerduty" -> guarded(endpoint.require("routing-key"), key -> new PagerDuty(key.text()));
            default -> throw endpoint.require("channel").expected("webhook, slack or pagerduty");
        };
    }

    private static void refuse(ConfigNode endpoint, String key, boolean misplaced, String channel) {
        if (misplaced && endpoint.has(key)) {
            throw endpoint.require(key).keyError("only for channel: " + channel);
        }
    }

    private static List<WebhookSecret> secrets(ConfigNode list) {
        List<WebhookSecret> secrets = new ArrayList<>();
        list.items().forEach(item -> secrets.add(guarded(item, n -> new WebhookSecret(n.text()))));
        if (secrets.isEmpty()) {
            throw list.error("expected at least one secret");
        }
        return secrets;
    }

    /** Unlike {@code ConfigNode.read}: the complaint does not quote the text, which may be a secret. */
    static <T> T guarded(ConfigNode node, Function<ConfigNode, T> reader) {
        try {
            return reader.apply(node);
        } catch (IllegalArgumentException e) {
            throw node.error(e.getMessage());
        }
    }
}
