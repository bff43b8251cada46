/** Values in Avro, read as JSON for the Kafka intake. Only here is Avro imported. */
@NullMarked
package dev.vigil.dashboard.avro;

import org.jspecify.annotations.NullMarked;
