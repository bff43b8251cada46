/** The alerting service: wires the pure parts to Kafka, RocksDB and HTTP, and runs them on its threads. */
@NullMarked
package dev.vigil.alerting.service;

import org.jspecify.annotations.NullMarked;
