/**
 * Endpoints that are made by the API: what is stored of them, how it is encrypted, what they may be. Pure; the register in Kafka
 * is in {@code dev.vigil.alerting.kafka}, what the API asks is answered in {@code dev.vigil.alerting.service}.
 */
@NullMarked
package dev.vigil.alerting.endpoints;

import org.jspecify.annotations.NullMarked;
