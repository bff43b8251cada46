/** History as Spark sees it. */
@NullMarked
package dev.vigil.sparkcheck;

import org.jspecify.annotations.NullMarked;
