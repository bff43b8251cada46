package dev.vigil.alerting.http;

import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Channel;
import okhttp3.Request;

/** Puts alerts into the requests that a channel understands. Safe for any thread. */
interface ChannelRequests {
    /** Everything of a request but its URL. */
    Request.Builder request(AlertMessage message, long nowMs);

    static ChannelRequests of(Channel channel) {
        if (channel instanceof Channel.Webhook webhook) {
            return new WebhookRequests(webhook);
        }
        return channel instanceof Channel.PagerDuty pagerDuty ? new PagerDutyRequests(pagerDuty) : new SlackRequests();
    }
}
