/**
 * Made-up card payments in the shape of a well-known public data set, to run and test backtests with. Pure functions of a
 * seed, and a writer of CSV files.
 */
@NullMarked
package dev.vigil.demo.cards;

import org.jspecify.annotations.NullMarked;
