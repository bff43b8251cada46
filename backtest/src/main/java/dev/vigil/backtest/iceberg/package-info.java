/** History from the lakehouse. The only package here that knows it. */
@NullMarked
package dev.vigil.backtest.iceberg;

import org.jspecify.annotations.NullMarked;
