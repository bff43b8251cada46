package dev.vigil.alerting.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint as somebody defined it. Holds secrets: only ever stored encrypted, never in {@link #toString}.
 *
 * @param settings keys as in the configuration, without name and secrets
 * @param secrets of a webhook: the one in use, then those that were replaced and still sign
 * @param createdBy of the request that made it; absent where it had no idempotency key
 * @param rotatedBy of the request that made the secret in use
 */
public record StoredDefinition(
        JsonNode settings,
        List<Secret> secrets,
        @Nullable RequestMark createdBy,
        @Nullable RequestMark rotatedBy) {
    public StoredDefinition {
        secrets = List.copyOf(secrets);
    }

    /** @param untilMs from then on it signs nothing, ms since the epoch; absent: the one in use */
    public record Secret(String text, @Nullable Long untilMs) {
        @Override
        public String toString() {
            return "Secret[***]";
        }
    }

    StoredDefinition withSettings(JsonNode changed) {
        return new StoredDefinition(changed, secrets, createdBy, rotatedBy);
    }

    /** @param untilMs how long the one so far still signs; those whose time is over at {@code nowMs} are forgotten */
    StoredDefinition rotated(String secret, long nowMs, long untilMs, @Nullable RequestMark by) {
        List<Secret> all = new ArrayList<>();
        all.add(new Secret(secret, null));
        for (Secret former : secrets) {
            long until = former.untilMs() == null ? untilMs : former.untilMs();
            if (until > nowMs) {
                all.add(new Secret(former.text(), until));
            }
        }
        return new StoredDefinition(settings, all, createdBy, by);
    }

    @Override
    public String toString() {
        return "StoredDefinition[***]";
    }
}
