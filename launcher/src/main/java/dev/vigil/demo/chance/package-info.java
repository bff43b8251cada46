/** Seeded chance for the made-up data of the demo: the same numbers on every machine and Java version. */
@NullMarked
package dev.vigil.demo.chance;

import org.jspecify.annotations.NullMarked;
