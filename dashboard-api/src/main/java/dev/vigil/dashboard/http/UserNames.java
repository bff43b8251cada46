package dev.vigil.dashboard.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who a proxy that authenticates says is calling. Anyone can write its header, so only trusted proxies are believed. */
final class UserNames {
    private final @Nullable String header;
    private final ClientAddress addresses;

    /** @param header that the proxy sets; null: there is none */
    UserNames(@Nullable String header, ClientAddress addresses) {
        this.header = header;
        this.addresses = addresses;
    }

    /**
     * The name; empty if no proxy is meant to say it, so that everyone names himself.
     *
     * @throws ProblemException 403 if one is, and the request did not come through it, or it does not say who it is
     */
    Optional<String> of(HttpServletRequest request) {
        Optional<String> name = find(request);
        if (name.isEmpty() && header != null) {
            throw new ProblemException(Problem.of(
                    403,
                    "unknown-user",
                    "Unknown user",
                    isAuthenticated(request)
                            ? "The proxy in front of this service did not say who is calling: expected one header "
                                    + header + "."
                            : "Who is calling is believed of the proxy in front of this service alone"
                                    + " (dashboard.user-header): call through it."));
        }
        return name;
    }

    /** The name, if it is known. */
    Optional<String> find(HttpServletRequest request) {
        if (header == null || !isAuthenticated(request)) {
            return Optional.empty();
        }
        List<String> names = Collections.list(request.getHeaders(header));
        return names.size() == 1 && !names.get(0).isBlank() ? Optional.of(names.get(0)) : Optional.empty();
    }

    private boolean isAuthenticated(HttpServletRequest request) {
        return header != null && addresses.isThroughTrustedProxy(request);
    }
}
