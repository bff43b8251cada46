/**
 * What the API asks of alerting about its endpoints, whichever process alerting runs in. Knows neither HTTP nor Kafka; a secret
 * leaves it only in {@link dev.vigil.event.endpoint.EndpointWithSecret}.
 */
@NullMarked
package dev.vigil.event.endpoint;

import org.jspecify.annotations.NullMarked;
