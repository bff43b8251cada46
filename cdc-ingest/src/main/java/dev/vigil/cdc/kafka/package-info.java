/** The way out: records to Kafka, acknowledged before the source's position moves on. */
@NullMarked
package dev.vigil.cdc.kafka;

import org.jspecify.annotations.NullMarked;
