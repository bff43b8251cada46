package dev.vigil.alerting.receiver;

import dev.vigil.event.Alert;
import org.jspecify.annotations.Nullable;

/**
 * A genuine message.
 *
 * @param caseId of the case that the alert belongs to; absent where the message names none
 * @param attempt as the sender counts, from its {@code vigil-attempt} header
 * @param repeated the receiver had accepted this alert id before
 */
public record ReceivedAlert(Alert alert, @Nullable String caseId, int attempt, boolean repeated, long receivedAtMs) {}
