/**
 * What the page shows live, kept in bounded memory: rates, latencies, recent alerts with their deliveries, recent scored
 * events. Pure: knows neither Kafka nor HTTP.
 */
@NullMarked
package dev.vigil.dashboard.live;

import org.jspecify.annotations.NullMarked;
