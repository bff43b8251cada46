/**
 * Replay of history through a policy, pure: records in, what they score to and how good that is out. Files, Kafka and
 * Parquet are in the packages beneath; {@code dev.vigil.backtest.service} ties them together.
 */
@NullMarked
package dev.vigil.backtest;

import org.jspecify.annotations.NullMarked;
