/** Alerting's way in and out of Kafka. Only the alerting service imports it. */
@NullMarked
package dev.vigil.alerting.kafka;

import org.jspecify.annotations.NullMarked;
