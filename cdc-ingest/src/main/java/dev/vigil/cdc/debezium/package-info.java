/**
 * Change capture with Debezium's embedded engine: the service itself, the engine's settings, its records as row changes,
 * and where its position is kept. Nothing outside this package sees a Debezium or Connect type.
 */
@NullMarked
package dev.vigil.cdc.debezium;

import org.jspecify.annotations.NullMarked;
