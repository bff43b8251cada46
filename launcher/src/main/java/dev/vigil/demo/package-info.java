/**
 * Plays the made-up bank of {@link dev.vigil.demo.bank} in real time: payments and labels into PostgreSQL, logins into
 * the HTTP intake. It serves the demo command and tests.
 */
@NullMarked
package dev.vigil.demo;

import org.jspecify.annotations.NullMarked;
