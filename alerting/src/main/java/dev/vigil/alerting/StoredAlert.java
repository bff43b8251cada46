package dev.vigil.alerting;

import org.jspecify.annotations.Nullable;

/**
 * An alert in the outbox.
 *
 * @param json as it stands in the topic
 * @param caseId absent for one that was stored before there were cases
 * @param escalation whether it is sent although its group cools down
 */
public record StoredAlert(byte[] json, @Nullable String caseId, boolean escalation) {}
