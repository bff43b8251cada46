/**
 * Dead letters for people: what is listed of them, what is shown of one, where one goes when it is put back. Pure: knows
 * neither HTTP nor Kafka.
 */
@NullMarked
package dev.vigil.dashboard.deadletter;

import org.jspecify.annotations.NullMarked;
