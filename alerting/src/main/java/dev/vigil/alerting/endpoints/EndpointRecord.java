package dev.vigil.alerting.endpoints;

import org.jspecify.annotations.Nullable;

/**
 * What {@code vigil.endpoints} holds of an endpoint; the last record of a name counts.
 *
 * @param revision 1 for the first, then one more each time; goes on where a name is used again
 * @param atMs when it was written, ms since the epoch
 * @param paused by a person
 * @param sealed the {@link StoredDefinition}, encrypted; absent where the endpoint was deleted
 */
public record EndpointRecord(
        String name,
        long revision,
        long atMs,
        boolean paused,
        @Nullable Sealed sealed) {
    /** Before the name in a record's key. */
    public static final String KEY_PREFIX = "endpoint/";

    /**
     * Encrypted bytes.
     *
     * @param key id of the key
     * @param nonce 12 bytes, never used twice with a key
     * @param data with the tag at its end
     */
    public record Sealed(String key, byte[] nonce, byte[] data) {
        public Sealed {
            nonce = nonce.clone();
            data = data.clone();
        }

        @Override
        public byte[] nonce() {
            return nonce.clone();
        }

        @Override
        public byte[] data() {
            return data.clone();
        }
    }

    public boolean isDeleted() {
        return sealed == null;
    }
}
