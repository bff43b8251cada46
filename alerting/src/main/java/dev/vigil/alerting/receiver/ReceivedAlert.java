package dev.vigil.alerting.receiver;

import dev.vigil.event.Alert;

/**
 * A genuine message.
 *
 * @param attempt as the sender counts, from its {@code vigil-attempt} header
 * @param repeated the receiver had accepted this alert id before
 */
public record ReceivedAlert(Alert alert, int attempt, boolean repeated, long receivedAtMs) {}
