package dev.vigil.event.endpoint;

import org.jspecify.annotations.Nullable;

/**
 * An endpoint and the secret that was just made for it, which nothing shows again.
 *
 * @param secret absent where the channel has none of ours
 */
public record EndpointWithSecret(
        EndpointView endpoint, @Nullable String secret) {
    /** Without the secret. */
    @Override
    public String toString() {
        return "EndpointWithSecret[" + endpoint.name() + "]";
    }
}
