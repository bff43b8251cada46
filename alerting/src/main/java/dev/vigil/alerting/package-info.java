/**
 * Alerting without its technology: suppression in event time, the outbox's contract, routing, retries and configuration.
 * Time comes in as an argument or through a clock, sockets and stores through interfaces of this package. The edge
 * packages below import it; it imports none of them.
 */
@NullMarked
package dev.vigil.alerting;

import org.jspecify.annotations.NullMarked;
