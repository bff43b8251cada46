/**
 * What Vigil's services say to each other: events, scored events, alerts, deliveries, dead letters, the positions they
 * come from, and the JSON they travel in. Knows neither Kafka nor any store; every module may import it.
 */
@NullMarked
package dev.vigil.event;

import org.jspecify.annotations.NullMarked;
