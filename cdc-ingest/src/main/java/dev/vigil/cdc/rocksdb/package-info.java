/** What capture keeps between its runs, in RocksDB: the position, and the state that belongs to it. */
@NullMarked
package dev.vigil.cdc.rocksdb;

import org.jspecify.annotations.NullMarked;
