package dev.vigil.alerting;

import dev.vigil.config.ConfigNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How an endpoint's connections prove who is at either end; files in PEM. Read when the service starts.
 *
 * @param certificate shown to the endpoint, the issuers' after it; absent: none is shown
 * @param key of the certificate, PKCS#8, not encrypted
 * @param ca who may vouch for the endpoint, and nobody else; absent: those that Java trusts
 */
public record EndpointTls(
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path ca) {
    /** Shows no certificate and trusts whom Java trusts. */
    public static final EndpointTls USUAL = new EndpointTls(null, null, null);

    public EndpointTls {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("expected certificate and key together, found one of them");
        }
    }

    static EndpointTls from(ConfigNode node) {
        node.knownKeys("certificate", "key", "ca");
        try {
            return new EndpointTls(file(node, "certificate"), file(node, "key"), file(node, "ca"));
        } catch (IllegalArgumentException e) {
            throw node.error(e.getMessage());
        }
    }

    private static @Nullable Path file(ConfigNode node, String key) {
        return node.find(key)
                .map(name -> {
                    Path file = Path.of(name.text());
                    if (!Files.isReadable(file)) {
                        throw name.expected("a file that can be read");
                    }
                    return file;
                })
                .orElse(null);
    }
}
