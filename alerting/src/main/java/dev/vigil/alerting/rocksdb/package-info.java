/** The outbox on RocksDB. Only the alerting service imports it; the bytes are described in docs/formats/outbox.md. */
@NullMarked
package dev.vigil.alerting.rocksdb;

import org.jspecify.annotations.NullMarked;
