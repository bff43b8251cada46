/**
 * Aggregates over an account's events in (t − delay − over, t − delay], exact to the event. A window of an account with
 * few events is looked through each time; of one with many it slides along, adding and removing. Both give the same
 * values, since all aggregates are exact, so nothing of the sliding is ever stored.
 */
@NullMarked
package dev.vigil.scoring.window;

import org.jspecify.annotations.NullMarked;
