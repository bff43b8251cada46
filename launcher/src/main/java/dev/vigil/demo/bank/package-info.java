/**
 * A made-up bank and its card payments: a population and an endless stream of actions with planted fraud.
 *
 * <p>Everything here is a pure function of a seed and of the instant and the payment number at which a stream begins:
 * no clock, no I/O except the table of towns on the class path, no thread. It serves the demo and tests; nothing that
 * scores events may import it.
 */
@NullMarked
package dev.vigil.demo.bank;

import org.jspecify.annotations.NullMarked;
