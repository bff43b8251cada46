/**
 * The pure core: log records in, scored events and alerts out. The live engine, a backtest and every other runner call
 * {@link dev.vigil.scoring.PartitionScorer}, and get the same bytes for the same log. No Kafka, no RocksDB, no thread, no
 * clock.
 */
@NullMarked
package dev.vigil.scoring;

import org.jspecify.annotations.NullMarked;
