/** What the API asks of the engine about single events, whichever process it runs in. Knows no HTTP. */
@NullMarked
package dev.vigil.dashboard.explain;

import org.jspecify.annotations.NullMarked;
