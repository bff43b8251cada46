/**
 * The {@code vigil} command: reads the configuration, puts the services together, runs them. The only place with a wall
 * clock, and the only one that knows every module; nothing depends on it.
 */
@NullMarked
package dev.vigil.launcher;

import org.jspecify.annotations.NullMarked;
