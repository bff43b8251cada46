/**
 * A real Kafka broker and a real PostgreSQL server, started from their own binaries, for the demo and for tests.
 *
 * <p>Nothing that a deployment runs may import this package. Everything listens on the loopback interface only, asks
 * for no password and keeps all its data in the directory that the caller names, so that a second start goes on where
 * the first one stopped.
 */
@NullMarked
package dev.vigil.embedded;

import org.jspecify.annotations.NullMarked;
