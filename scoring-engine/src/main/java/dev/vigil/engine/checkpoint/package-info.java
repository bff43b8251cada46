/** Copies of a task's state in checkpoint storage: written incrementally, complete or not there, verified when read. */
@NullMarked
package dev.vigil.engine.checkpoint;

import org.jspecify.annotations.NullMarked;
