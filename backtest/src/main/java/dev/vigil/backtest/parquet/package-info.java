/** The table of scored events as Parquet, written by DuckDB. The only package that knows it. */
@NullMarked
package dev.vigil.backtest.parquet;

import org.jspecify.annotations.NullMarked;
