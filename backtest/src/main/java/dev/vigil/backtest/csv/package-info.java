/** CSV in, by a declared mapping of columns, and CSV out. RFC 4180, UTF-8, plain or gzip. */
@NullMarked
package dev.vigil.backtest.csv;

import org.jspecify.annotations.NullMarked;
