/** A webhook receiver for the demo and the tests, written against the specification and not against the sender. */
@NullMarked
package dev.vigil.alerting.receiver;

import org.jspecify.annotations.NullMarked;
