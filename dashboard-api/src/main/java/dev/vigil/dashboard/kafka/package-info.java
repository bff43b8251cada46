/** The API's Kafka edge: appends to the log, follows alerts, deliveries and scored events. Only here is Kafka imported. */
@NullMarked
package dev.vigil.dashboard.kafka;

import org.jspecify.annotations.NullMarked;
