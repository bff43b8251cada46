/** The live engine around the pure core: configuration and the service. Its edges are the packages below. */
@NullMarked
package dev.vigil.engine;

import org.jspecify.annotations.NullMarked;
