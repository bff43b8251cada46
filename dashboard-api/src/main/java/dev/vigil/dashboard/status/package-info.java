/** Where the statuses of all services come together, whichever process they run in. Knows no HTTP. */
@NullMarked
package dev.vigil.dashboard.status;

import org.jspecify.annotations.NullMarked;
