/** State of a task in RocksDB. Only here is RocksDB imported. */
@NullMarked
package dev.vigil.engine.rocksdb;

import org.jspecify.annotations.NullMarked;
