package dev.vigil.config;

/**
 * A document says something that cannot be meant. The message is one line for a person:
 * {@code policy.yaml:12:18: features.tx_count.ovr: unknown key, did you mean 'over'?}. Nothing was changed; correct the
 * document and start again.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }
}
