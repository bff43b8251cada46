/** The backtest as the command and the dashboard start it: configuration in, files out. */
@NullMarked
package dev.vigil.backtest.service;

import org.jspecify.annotations.NullMarked;
