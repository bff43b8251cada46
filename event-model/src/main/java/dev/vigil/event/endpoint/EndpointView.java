package dev.vigil.event.endpoint;

import dev.vigil.event.Decision;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint as it may be shown.
 *
 * @param url scheme, host and port: what follows may be a secret
 * @param paused by a person
 * @param state {@code active}, {@code paused}, {@code failing}, {@code disabled}, or {@code starting} before it was looked at
 * @param problem what came of the last attempt, or why nothing is sent
 * @param formerSecretsUntilMs until when messages are also signed with a secret that was replaced
 * @param maxPerSecond absent: no limit
 * @param order {@code account}: alerts of an account one after the other; or {@code none}
 * @param rules absent: whatever hit
 */
public record EndpointView(
        String name,
        Origin origin,
        String channel,
        String url,
        boolean paused,
        String state,
        @Nullable String problem,
        long delivered,
        long failedAttempts,
        long givenUp,
        long pending,
        List<Long> formerSecretsUntilMs,
        long connectTimeoutMs,
        long timeoutMs,
        int maxInFlight,
        @Nullable Integer maxPerSecond,
        List<Decision> decisions,
        @Nullable List<String> rules,
        int minScore,
        @Nullable BigDecimal minAmount,
        @Nullable String amountField,
        String order) {
    /** Where an endpoint is written down. */
    public enum Origin {
        @com.fasterxml.jackson.annotation.JsonProperty("config")
        CONFIG,
        @com.fasterxml.jackson.annotation.JsonProperty("api")
        API
    }

    public EndpointView {
        formerSecretsUntilMs = List.copyOf(formerSecretsUntilMs);
        decisions = List.copyOf(decisions);
        rules = rules == null ? null : List.copyOf(rules);
    }
}
