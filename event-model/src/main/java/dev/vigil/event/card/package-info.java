/**
 * What looks like the number of a payment card, and what takes its place: one detector and one setting for every way by
 * which events come in. Imported by whatever takes data from outside, and by whatever shows it to people.
 */
@NullMarked
package dev.vigil.event.card;

import org.jspecify.annotations.NullMarked;
