package dev.vigil.config;

/**
 * A document says something that cannot be meant. The message is one line for a person:
 * {@code policy.yaml:12:18: features.tx_count.ovr: unknown key, did you mean 'over'?}. It is one line, and not endless,
 * whatever the document holds: control characters are escaped, and the end of a very long one is left out. Nothing was
 * changed; correct the document and start again.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_CHARACTERS = 1_000;

    public ConfigException(String message) {
        super(OneLine.shortened(message, MAX_CHARACTERS));
    }
}
