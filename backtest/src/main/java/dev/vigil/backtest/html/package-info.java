/** The report as one page of HTML that needs nothing else. */
@NullMarked
package dev.vigil.backtest.html;

import org.jspecify.annotations.NullMarked;
