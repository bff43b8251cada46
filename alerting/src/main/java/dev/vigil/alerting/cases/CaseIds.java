package dev.vigil.alerting.cases;

import dev.vigil.event.Alert;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Ids that follow from what they name, so that a rebuild gives the same: 96 bits of SHA-256 in hexadecimal. */
final class CaseIds {
    private static final int BYTES = 12;

    private CaseIds() {}

    /** Of what belongs into one case: a value of the policy's {@code group_by}, whatever the policy's version. */
    static String fingerprint(Alert alert) {
        return hash(alert.policy(), alert.groupBy());
    }

    static String caseId(String fingerprint, String firstAlertId) {
        return hash(fingerprint, firstAlertId);
    }

    /** Of a label event: the same action labels the same event once, another action once more. */
    static String label(String actionId, LabelTarget target) {
        return hash(actionId, target.source(), target.eventId());
    }

    /** Each part with its length before it, so that no two lists of parts are one text. */
    private static String hash(String... parts) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }
}
