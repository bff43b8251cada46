package dev.vigil.alerting;

/**
 * An alert that an endpoint is to get once more.
 *
 * @param json the alert as it stands in the topic
 */
public record AlertAgain(String alertId, String account, byte[] json) {}
