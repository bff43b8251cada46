/** History from the log in Kafka. The only package here that knows Kafka. */
@NullMarked
package dev.vigil.backtest.kafka;

import org.jspecify.annotations.NullMarked;
