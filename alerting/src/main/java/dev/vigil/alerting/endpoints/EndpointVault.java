package dev.vigil.alerting.endpoints;

import dev.vigil.alerting.EndpointKey;
import dev.vigil.event.Json;
import dev.vigil.service.ServiceException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts what is stored of endpoints: AES-256-GCM, with the endpoint's name as associated data, so that what was stored of one
 * is nothing under the name of another. The cipher's key is derived from the configured secret. Safe for any thread.
 */
public final class EndpointVault {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final byte[] PURPOSE = "vigil endpoints 1".getBytes(StandardCharsets.UTF_8);

    private final Map<String, SecretKeySpec> keys = new LinkedHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final @Nullable String keyInUse;

    /** @param configured the first one encrypts; empty: nothing can be encrypted or read */
    public EndpointVault(List<EndpointKey> configured) {
        configured.forEach(key -> keys.put(key.id(), derived(key)));
        this.keyInUse = configured.isEmpty() ? null : configured.get(0).id();
    }

    private static SecretKeySpec derived(EndpointKey key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.secret(), "HmacSHA256"));
            return new SecretKeySpec(mac.doFinal(PURPOSE), "AES");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    public boolean hasKey() {
        return keyInUse != null;
    }

    /** @throws IllegalStateException without a key */
    EndpointRecord.Sealed seal(String endpoint, StoredDefinition definition) {
        String id = keyInUse;
        SecretKeySpec key = id == null ? null : keys.get(id);
        if (id == null || key == null) {
            throw new IllegalStateException("there is no key to encrypt with");
        }
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, endpoint);
            return new EndpointRecord.Sealed(id, nonce, cipher.doFinal(Json.encode(definition)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        }
    }

    /** @throws ServiceException if the key is not configured, or is another, or somebody changed what was stored */
    StoredDefinition open(String endpoint, EndpointRecord.Sealed sealed) {
        SecretKeySpec key = keys.get(sealed.key());
        if (key == null) {
            throw new ServiceException("endpoint " + endpoint + " is encrypted with the key '" + sealed.key()
                    + "': expected it among alerting.endpoint-keys, found "
                    + (keys.isEmpty() ? "none" : String.join(", ", keys.keySet())));
        }
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, sealed.nonce(), endpoint);
            return Json.decode(cipher.doFinal(sealed.data()), StoredDefinition.class);
        } catch (GeneralSecurityException e) {
            throw new ServiceException(
                    "endpoint " + endpoint + " cannot be decrypted: expected the secret of the key '" + sealed.key()
                            + "' that it was encrypted with (alerting.endpoint-keys)",
                    e);
        }
    }

    private static Cipher cipher(int mode, SecretKeySpec key, byte[] nonce, String endpoint)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(endpoint.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
