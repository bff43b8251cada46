package dev.vigil.alerting;

/**
 * An endpoint that answered 410 and gets nothing any more, until its URL changes.
 *
 * @param urlFingerprint of the URL that answered so
 */
public record DisabledEndpoint(String endpoint, String urlFingerprint, long sinceMs) {}
