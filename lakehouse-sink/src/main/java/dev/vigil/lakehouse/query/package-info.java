/**
 * History read: SQL over the tables in an embedded DuckDB, and rows in the order of the log for backtests. Used by the
 * {@code vigil query} command, the dashboard and the backtest.
 */
@NullMarked
package dev.vigil.lakehouse.query;

import org.jspecify.annotations.NullMarked;
