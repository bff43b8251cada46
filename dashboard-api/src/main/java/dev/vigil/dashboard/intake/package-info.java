/**
 * Events from outside on their way into the log: what a CloudEvent must be to get in, and where it goes. Pure: knows
 * neither HTTP nor Kafka.
 */
@NullMarked
package dev.vigil.dashboard.intake;

import org.jspecify.annotations.NullMarked;
