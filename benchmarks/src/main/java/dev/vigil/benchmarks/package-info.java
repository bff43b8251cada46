/** Programs that put load on Vigil and measure it; their start scripts are in {@code benchmarks/bin}. */
@NullMarked
package dev.vigil.benchmarks;

import org.jspecify.annotations.NullMarked;
