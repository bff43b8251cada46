/**
 * What a task remembers of an account: its events in time order in blocks, its reference rows; and the bytes that they
 * are kept as. The only way to storage is {@link dev.vigil.scoring.state.StateStore}.
 */
@NullMarked
package dev.vigil.scoring.state;

import org.jspecify.annotations.NullMarked;
