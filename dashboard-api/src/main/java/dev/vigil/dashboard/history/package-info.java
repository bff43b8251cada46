/** What the API asks of history; implemented by the launcher over the lakehouse. Knows no query engine. */
@NullMarked
package dev.vigil.dashboard.history;

import org.jspecify.annotations.NullMarked;
