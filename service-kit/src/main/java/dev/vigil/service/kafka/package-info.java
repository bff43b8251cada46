/** Kafka clients as every service sets them up: connection, topics, event envelopes as records. */
@NullMarked
package dev.vigil.service.kafka;

import org.jspecify.annotations.NullMarked;
