/** The Kafka edge: topics as record sources, refused records as dead letters. */
@NullMarked
package dev.vigil.lakehouse.kafka;

import org.jspecify.annotations.NullMarked;
